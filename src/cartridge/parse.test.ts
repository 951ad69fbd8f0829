import { isCompanion } from './cartridge-text.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonPath, jsonPathText } from '../core/json-source.ts';
import { describeFindings, type Finding } from './finding.ts';
import { type Edit, lessonAssets, lessonText, parseLesson, placeOf } from './lesson-fixture.ts';
import { parseCartridge } from './parse.ts';

/** An edit of the whole fixture, what stands at the place of the finding, and what the finding says. */
type Fault = {
  name: string;
  edits: Edit[];
  needle: string;
  path: string;
  message: RegExp;
  hint: RegExp;
  severity?: Finding['severity'];
};

const choice = ['phases', 0, 'interaction', 'choices', 0] as const;
const end = { id: 'x', title: 'X', is_terminal: true, evaluation_outcome: 'partial' };

const faults: Fault[] = [
  // Types and missing keys.
  {
    name: 'a missing key, told at the object that lacks it',
    edits: [[['phases', 3, 'title'], undefined]],
    needle: '{\n      "id": "won"',
    path: 'phases[3].title',
    message: /"title" is missing/u,
    hint: /Add "title": a text in double quotes/u,
  },
  {
    name: 'a missing key of the lesson itself',
    edits: [[['safety'], undefined]],
    needle: '{\n  "task_id"',
    path: 'safety',
    message: /"safety" is missing/u,
    hint: /Add "safety": an object .*content_boundaries/u,
  },
  {
    name: 'a null where something has to be',
    edits: [[['title'], null]],
    needle: 'null,\n  "description"',
    path: 'title',
    message: /"title" is missing/u,
    hint: /Add "title"/u,
  },
  {
    name: 'a text where a number belongs',
    edits: [[['difficulty'], '3']],
    needle: '"3"',
    path: 'difficulty',
    message: /"difficulty" is the text "3"/u,
    hint: /whole number from 1 to 5, without quotes/u,
  },
  {
    name: 'a number out of its range',
    edits: [[['safety', 'intensity_ceiling'], 9]],
    needle: '9,\n    "cold_start_safe"',
    path: 'safety.intensity_ceiling',
    message: /is the number 9/u,
    hint: /from 1 to 5/u,
  },
  {
    name: 'a broken number where a whole one belongs',
    edits: [[['phases', 2, 'interaction', 'max_exchanges'], 4.5]],
    needle: '4.5',
    path: 'phases[2].interaction.max_exchanges',
    message: /is the number 4.5/u,
    hint: /whole number/u,
  },
  {
    name: 'no time at all',
    edits: [[['time_minutes'], 0]],
    needle: '0,\n  "is_evergreen"',
    path: 'time_minutes',
    message: /is the number 0/u,
    hint: /minutes above 0/u,
  },
  {
    name: 'an empty list of objectives',
    edits: [[['learning_objectives'], []]],
    needle: '[],\n  "difficulty"',
    path: 'learning_objectives',
    message: /is an empty list/u,
    hint: /at least one text/u,
  },
  {
    name: 'a wrong word from a closed list',
    edits: [[['task_type'], 'ai-driven']],
    needle: '"ai-driven"',
    path: 'task_type',
    message: /is the text "ai-driven"/u,
    hint: /"ai_driven", "static", "hybrid"\. Did you mean "ai_driven"\?/u,
  },
  {
    name: 'an outcome that is none',
    edits: [[['phases', 3, 'evaluation_outcome'], 'student_wins']],
    needle: '"student_wins"',
    path: 'phases[3].evaluation_outcome',
    message: /student_wins/u,
    hint: /"trickster_wins", "partial", "trickster_loses"/u,
  },
  {
    name: 'an id that cannot be a folder',
    edits: [[['task_id'], 'Sriubos antraštė']],
    needle: '"Sriubos antraštė"',
    path: 'task_id',
    message: /Sriubos antraštė/u,
    hint: /lower-case letters without accents/u,
  },
  {
    name: 'a text with nothing in it',
    edits: [[['title'], '  ']],
    needle: '"  "',
    path: 'title',
    message: /is an empty text/u,
    hint: /not an empty one/u,
  },
  {
    name: 'a fault in a block of a known type',
    edits: [[['presentation_blocks', 1, 'alt_text'], undefined]],
    needle: '{\n      "id": "photo"',
    path: 'presentation_blocks[1].alt_text',
    message: /"alt_text" is missing/u,
    hint: /what there is to see/u,
  },
  {
    name: 'a fault in a list, told by its number',
    edits: [
      [
        ['presentation_blocks', 4, 'child_queries'],
        ['menu', 7],
      ],
    ],
    needle: '7\n',
    path: 'presentation_blocks[4].child_queries[1]',
    message: /Item 2 of "child_queries" is the number 7/u,
    hint: /Write a text/u,
  },
  {
    name: 'a list without its nulls, told where it stands in the file',
    edits: [[['tags'], [null, 'a', null, 5]]],
    needle: '5\n',
    path: 'tags[3]',
    message: /Item 4 of "tags" is the number 5/u,
    hint: /Write a text/u,
  },
  {
    name: 'fewer exchanges at most than at least',
    edits: [[['phases', 2, 'interaction', 'min_exchanges'], 6]],
    needle: '4\n      },\n      "ai_transitions"',
    path: 'phases[2].interaction.max_exchanges',
    message: /"max_exchanges" is below "min_exchanges"/u,
    hint: /not below min_exchanges/u,
  },
  {
    name: 'a checklist item that is neither text nor object',
    edits: [[['phases', 2, 'evaluator_checklist', 0], false]],
    needle: 'false,\n        {',
    path: 'phases[2].evaluator_checklist[0]',
    message: /Item 1 of "evaluator_checklist" is false/u,
    hint: /id of a checklist item, or an object/u,
  },
  {
    name: 'a folder with another name',
    edits: [[['task_id'], 'other-id']],
    needle: '"other-id"',
    path: 'task_id',
    message: /in the folder "soup-headline", yet its "task_id" is "other-id"/u,
    hint: /Write "soup-headline", or rename the folder/u,
  },
  // Ids and references.
  {
    name: 'two blocks with one id',
    edits: [[['presentation_blocks', 6], { id: 'photo', type: 'text', text: 'B' }]],
    needle: '"photo",\n      "type": "text"',
    path: 'presentation_blocks[6].id',
    message: /another block with the id "photo" above/u,
    hint: /id of its own/u,
  },
  {
    name: 'two phases with one id',
    edits: [[['phases', 5], { ...end, id: 'won' }]],
    needle: '"won",\n      "title": "X"',
    path: 'phases[5].id',
    message: /another phase with the id "won"/u,
    hint: /id of its own/u,
  },
  {
    name: 'two patterns with one id',
    edits: [
      [
        ['evaluation', 'patterns_embedded', 1],
        { id: 'gap', description: 'B', technique: '', real_world_connection: '' },
      ],
    ],
    needle: '"gap",\n        "description": "B"',
    path: 'evaluation.patterns_embedded[1].id',
    message: /another pattern with the id "gap"/u,
    hint: /id of its own/u,
  },
  {
    name: 'two checklist items with one id',
    edits: [[['evaluation', 'checklist', 1], { id: 'sees-gap', description: 'B' }]],
    needle: '"sees-gap",\n        "description": "B"',
    path: 'evaluation.checklist[1].id',
    message: /another checklist item with the id "sees-gap"/u,
    hint: /id of its own/u,
  },
  {
    name: 'two items of a phase with one id',
    edits: [[['phases', 2, 'evaluator_checklist', 2], 'own-words']],
    needle: '"own-words"\n',
    path: 'phases[2].evaluator_checklist[2]',
    message: /another checklist item with the id "own-words"/u,
    hint: /id of its own/u,
  },
  {
    name: 'a block that is not there',
    edits: [[['phases', 0, 'visible_blocks', 1], 'phto']],
    needle: '"phto"',
    path: 'phases[0].visible_blocks[1]',
    message: /no block with the id "phto"/u,
    hint: /Did you mean "photo"\?/u,
  },
  {
    name: 'a choice that leads nowhere',
    edits: [[[...choice, 'target_phase'], 'nirvana']],
    needle: '"nirvana"',
    path: 'phases[0].interaction.choices[0].target_phase',
    message: /no phase with the id "nirvana"/u,
    hint: /start, search, talk, won, half/u,
  },
  {
    name: 'an investigation that leads nowhere',
    edits: [[['phases', 1, 'interaction', 'submit_target'], 'nirvana']],
    needle: '"nirvana"',
    path: 'phases[1].interaction.submit_target',
    message: /no phase with the id "nirvana"/u,
    hint: /that is there/u,
  },
  {
    name: 'a transition that leads nowhere',
    edits: [[['phases', 2, 'ai_transitions', 'on_partial'], 'nirvana']],
    needle: '"nirvana"',
    path: 'phases[2].ai_transitions.on_partial',
    message: /no phase with the id "nirvana"/u,
    hint: /that is there/u,
  },
  {
    name: 'a first phase that is not there',
    edits: [[['initial_phase'], 'Start']],
    needle: '"Start",\n  "evaluation"',
    path: 'initial_phase',
    message: /no phase with the id "Start"/u,
    hint: /Did you mean "start"\?/u,
  },
  {
    name: 'a pattern that is not there',
    edits: [[['evaluation', 'checklist', 0, 'pattern_refs', 0], 'hole']],
    needle: '"hole"',
    path: 'evaluation.checklist[0].pattern_refs[0]',
    message: /no pattern with the id "hole"/u,
    hint: /pattern that is there: gap/u,
  },
  // Phases.
  {
    name: 'an AI phase without a conversation',
    edits: [[['phases', 2, 'interaction'], undefined]],
    needle: '{\n      "id": "talk"',
    path: 'phases[2].interaction',
    message: /AI phase "talk" has no "freeform" interaction/u,
    hint: /"type": "freeform"/u,
  },
  {
    name: 'an AI phase with buttons',
    edits: [[['phases', 2, 'interaction'], { type: 'button', choices: [{ label: 'On', target_phase: 'won' }] }]],
    needle: '{\n        "type": "button",\n        "choices": [\n          {\n            "label": "On"',
    path: 'phases[2].interaction',
    message: /no "freeform" interaction/u,
    hint: /"is_ai_phase" to false/u,
  },
  {
    name: 'an AI phase without transitions',
    edits: [
      [['phases', 2, 'ai_transitions'], undefined],
      [['phases', 0, 'interaction', 'choices', 1, 'target_phase'], 'won'],
      [['phases', 1, 'interaction', 'submit_target'], 'half'],
      [[...choice, 'target_phase'], 'talk'],
      [['phases', 0, 'interaction', 'choices', 2], { label: 'S', target_phase: 'search' }],
    ],
    needle: '{\n      "id": "talk"',
    path: 'phases[2].ai_transitions',
    message: /no "ai_transitions"/u,
    hint: /on_success.*on_partial.*on_max_exchanges/u,
  },
  {
    name: 'a conversation in which nobody answers',
    edits: [[['phases', 2, 'is_ai_phase'], undefined]],
    needle: '{\n        "type": "freeform"',
    path: 'phases[2].interaction',
    message: /not an AI phase, so nobody would answer/u,
    hint: /"is_ai_phase": true/u,
  },
  {
    name: 'a terminal phase with a choice',
    edits: [[['phases', 3, 'interaction'], { type: 'button', choices: [{ label: 'On', target_phase: 'half' }] }]],
    needle: '{\n        "type": "button",\n        "choices": [\n          {\n            "label": "On"',
    path: 'phases[3].interaction',
    message: /terminal phase "won" has a way on/u,
    hint: /Remove "interaction", or set "is_terminal" to false/u,
  },
  {
    name: 'a terminal phase with a conversation',
    edits: [[['phases', 3, 'is_ai_phase'], true]],
    needle: 'true\n    },\n    {\n      "id": "half"',
    path: 'phases[3].is_ai_phase',
    message: /terminal phase "won" has a way on/u,
    hint: /Remove "is_ai_phase"/u,
  },
  {
    name: 'a phase without a way on',
    edits: [
      [['phases', 5], { id: 'stuck', title: 'Stuck' }],
      [['phases', 0, 'interaction', 'choices', 2], { label: 'S', target_phase: 'stuck' }],
    ],
    needle: '{\n      "id": "stuck"',
    path: 'phases[5]',
    message: /no way on from the phase "stuck"/u,
    hint: /"is_terminal": true where the lesson ends/u,
  },
  {
    name: 'a phase whose list of choices is empty',
    edits: [
      [['phases', 5], { id: 'stuck', title: 'Stuck', interaction: { type: 'button', choices: [] } }],
      [['phases', 0, 'interaction', 'choices', 2], { label: 'S', target_phase: 'stuck' }],
    ],
    needle: '{\n        "type": "button",\n        "choices": []',
    path: 'phases[5].interaction',
    message: /no way on from the phase "stuck"/u,
    hint: /leads on/u,
  },
  {
    name: 'a phase that nobody can reach',
    edits: [[['phases', 5], end]],
    needle: '"x",\n      "title": "X"',
    path: 'phases[5].id',
    message: /Nobody can reach the phase "x" from "start"/u,
    hint: /lead to it, or remove it/u,
  },
  {
    name: 'a phase that goes round for ever',
    edits: [
      [
        ['phases', 5],
        { id: 'loop', title: 'L', interaction: { type: 'button', choices: [{ label: 'A', target_phase: 'loop' }] } },
      ],
      [['phases', 0, 'interaction', 'choices', 2], { label: 'S', target_phase: 'loop' }],
    ],
    needle: '"loop",\n      "title"',
    path: 'phases[5].id',
    message: /no terminal phase can be reached/u,
    hint: /lead to an end: won, half/u,
  },
  {
    name: 'a lesson without an end',
    edits: [
      [['phases', 3, 'is_terminal'], false],
      [['phases', 4, 'is_terminal'], false],
      [['phases', 3, 'evaluation_outcome'], undefined],
      [['phases', 4, 'evaluation_outcome'], undefined],
      [['phases', 3, 'interaction'], { type: 'button', choices: [{ label: 'A', target_phase: 'start' }] }],
      [['phases', 4, 'interaction'], { type: 'button', choices: [{ label: 'A', target_phase: 'start' }] }],
    ],
    needle: '[\n    {\n      "id": "start"',
    path: 'phases',
    message: /No phase is terminal/u,
    hint: /"is_terminal": true/u,
  },
  {
    name: 'more key findings than can be found',
    edits: [[['phases', 1, 'interaction', 'min_key_findings'], 2]],
    needle: '2\n      }',
    path: 'phases[1].interaction.min_key_findings',
    message: /2 key findings are asked for, and only 1 can be found/u,
    hint: /Write 1 or less/u,
  },
  // Coherence.
  {
    name: 'a clean lesson with patterns',
    edits: [[['is_clean'], true]],
    needle: 'true,\n  "tags"',
    path: 'is_clean',
    message: /"is_clean" is true, yet "patterns_embedded" lists patterns/u,
    hint: /no trick in it/u,
  },
  {
    name: 'a lesson with AI and without its configuration',
    edits: [[['ai_config'], null]],
    needle: 'null,\n  "reveal"',
    path: 'ai_config',
    message: /"hybrid", yet it has no "ai_config"/u,
    hint: /persona_mode/u,
  },
  {
    name: 'a static lesson with an AI phase that cannot speak',
    edits: [
      [['task_type'], 'static'],
      [['ai_config'], undefined],
    ],
    needle: 'true,\n      "interaction": {\n        "type": "freeform"',
    path: 'phases[2].is_ai_phase',
    message: /"static", yet "talk" is an AI phase, and there is no "ai_config"/u,
    hint: /"hybrid"/u,
  },
  {
    name: 'prompts from outside their folder',
    edits: [[['ai_config', 'prompt_directory'], '../secrets']],
    needle: '"../secrets"',
    path: 'ai_config.prompt_directory',
    message: /not a folder of prompts\/tasks/u,
    hint: /like "click-trap"/u,
  },
  // Assets.
  ...(
    [
      ['/etc/passwd', /is an absolute path/u],
      ['../other/secret.png', /leads out of the cartridge/u],
      ['a/../../b.png', /leads out of the cartridge/u],
      ['..\\\\b.png', /has a backslash/u],
      ['C:/b.png', /is an absolute path/u],
      ['file:///etc/passwd', /is a web address/u],
      ['https://example.org/soup.png', /is a web address/u],
      ['//example.org/soup.png', /is a web address/u],
      ['data:image/png;base64,AA==', /is a web address/u],
    ] as const
  ).map(
    ([source, message]): Fault => ({
      name: `the asset ${source}`,
      edits: [[['presentation_blocks', 1, 'src'], JSON.parse(`"${source}"`)]],
      needle: `"${source}"`,
      path: 'presentation_blocks[1].src',
      message,
      hint: /into the assets folder/u,
    }),
  ),
  // Warnings.
  {
    name: 'a key with a slip in it',
    edits: [[['phases', 3, 'trickster_contnet'], 'x']],
    needle: '"trickster_contnet"',
    path: 'phases[3].trickster_contnet',
    message: /key "trickster_contnet" is not known/u,
    hint: /Did you mean "trickster_content"\?/u,
    severity: 'warning',
  },
  {
    name: 'a key of another making',
    edits: [[['_comment'], 'x']],
    needle: '"_comment"',
    path: '_comment',
    message: /key "_comment" is not known/u,
    hint: /It is kept/u,
    severity: 'warning',
  },
  {
    name: 'a block of another type',
    edits: [[['presentation_blocks', 0, 'type'], 'map']],
    needle: '"map"',
    path: 'presentation_blocks[0].type',
    message: /type "map" is not known; it is passed/u,
    hint: /Known types: text, image/u,
    severity: 'warning',
  },
  {
    name: 'a block of a type with a slip in it',
    edits: [[['presentation_blocks', 0, 'type'], 'txt']],
    needle: '"txt"',
    path: 'presentation_blocks[0].type',
    message: /type "txt" is not known/u,
    hint: /Did you mean "text"\?/u,
    severity: 'warning',
  },
  {
    name: 'an interaction of another type',
    edits: [[['phases', 0, 'interaction'], { type: 'slider', ends: [{ goes: 'search' }, { goes: 'talk' }] }]],
    needle: '"slider"',
    path: 'phases[0].interaction.type',
    message: /type "slider" is not known/u,
    hint: /Known types: button, freeform, investigation/u,
    severity: 'warning',
  },
  {
    name: 'a word outside the vocabulary',
    edits: [[['technique'], 'clikbait']],
    needle: '"clikbait"',
    path: 'technique',
    message: /"clikbait" is not a known technique/u,
    hint: /Did you mean "clickbait"\?/u,
    severity: 'warning',
  },
  {
    name: 'a medium of its own',
    edits: [[['medium'], 'hologram']],
    needle: '"hologram"',
    path: 'medium',
    message: /"hologram" is not a known medium/u,
    hint: /A word of your own is kept/u,
    severity: 'warning',
  },
  {
    name: 'a trigger of its own',
    edits: [[['trigger'], 'boredom']],
    needle: '"boredom"',
    path: 'trigger',
    message: /not a known trigger/u,
    hint: /curiosity/u,
    severity: 'warning',
  },
  {
    name: 'a model preference that is none',
    edits: [[['ai_config', 'model_preference'], 'haiku']],
    needle: '"haiku"',
    path: 'ai_config.model_preference',
    message: /"haiku" is not a known model preference; "standard" is used/u,
    hint: /"fast", "standard", "complex"/u,
    severity: 'warning',
  },
  {
    name: 'a boundary that no filter knows',
    edits: [[['safety', 'content_boundaries', 1], 'no_real_institutions']],
    needle: '"no_real_institutions"',
    path: 'safety.content_boundaries[1]',
    message: /only steers the prompt/u,
    hint: /Filtered are self_harm/u,
    severity: 'warning',
  },
  {
    name: 'a version of another form',
    edits: [[['version'], 'second']],
    needle: '"second"',
    path: 'version',
    message: /not like "1.0.0"/u,
    hint: /three numbers/u,
    severity: 'warning',
  },
  {
    name: 'a file that is not there',
    edits: [[['presentation_blocks', 1, 'src'], 'gone.png']],
    needle: '"gone.png"',
    path: 'presentation_blocks[1].src',
    message: /not there; its alternative text is shown/u,
    hint: /into the assets folder/u,
    severity: 'warning',
  },
  {
    name: 'a query that finds nothing',
    edits: [[['phases', 1, 'interaction', 'starting_queries', 1], 'the mayor']],
    needle: '"the mayor"',
    path: 'phases[1].interaction.starting_queries[1]',
    message: /No search result has the query "the mayor"/u,
    hint: /search_result block with this "query"/u,
    severity: 'warning',
  },
  {
    name: 'a further query that finds nothing',
    edits: [[['presentation_blocks', 5, 'child_queries'], ['the mayor']]],
    needle: '"the mayor"',
    path: 'presentation_blocks[5].child_queries[0]',
    message: /so it finds nothing/u,
    hint: /search_result block/u,
    severity: 'warning',
  },
  {
    name: 'a search result that nobody can find',
    edits: [[['presentation_blocks', 6], { id: 'lost', type: 'search_result', query: 'lost', title: '', snippet: '' }]],
    needle: '"lost",\n      "title"',
    path: 'presentation_blocks[6].query',
    message: /No investigation leads to this search result/u,
    hint: /"starting_queries"/u,
    severity: 'warning',
  },
  {
    name: 'a trick-less lesson that is not clean',
    edits: [
      [['evaluation', 'patterns_embedded'], []],
      [['evaluation', 'checklist'], []],
    ],
    needle: '[],\n    "checklist"',
    path: 'evaluation.patterns_embedded',
    message: /No pattern is embedded, yet "is_clean" is false/u,
    hint: /set "is_clean" to true/u,
    severity: 'warning',
  },
  {
    name: 'an end without an outcome',
    edits: [[['phases', 3, 'evaluation_outcome'], undefined]],
    needle: '{\n      "id": "won"',
    path: 'phases[3]',
    message: /"won" does not say how the lesson ends/u,
    hint: /"evaluation_outcome"/u,
    severity: 'warning',
  },
  {
    name: 'an outcome before the end',
    edits: [[['phases', 1, 'evaluation_outcome'], 'trickster_wins']],
    needle: '"trickster_wins"\n',
    path: 'phases[1].evaluation_outcome',
    message: /means nothing in "search"/u,
    hint: /Remove it/u,
    severity: 'warning',
  },
  {
    name: 'transitions without a conversation',
    edits: [[['phases', 1, 'ai_transitions'], { on_success: 'half', on_partial: 'half', on_max_exchanges: 'half' }]],
    needle: '{\n        "on_success": "half"',
    path: 'phases[1].ai_transitions',
    message: /mean nothing in "search", which is not an AI phase/u,
    hint: /"is_ai_phase" to true/u,
    severity: 'warning',
  },
  {
    name: 'a static lesson that speaks all the same',
    edits: [[['task_type'], 'static']],
    needle: 'true,\n      "interaction": {\n        "type": "freeform"',
    path: 'phases[2].is_ai_phase',
    message: /"static", yet "talk" is an AI phase/u,
    hint: /"hybrid"/u,
    severity: 'warning',
  },
  {
    name: 'an AI lesson that never speaks',
    edits: [
      [['phases', 2, 'is_ai_phase'], false],
      [['phases', 2, 'ai_transitions'], undefined],
      [
        ['phases', 2, 'interaction'],
        {
          type: 'button',
          choices: [
            { label: 'A', target_phase: 'won' },
            { label: 'B', target_phase: 'half' },
          ],
        },
      ],
    ],
    needle: '"hybrid"',
    path: 'task_type',
    message: /none of its phases is an AI phase/u,
    hint: /"static"/u,
    severity: 'warning',
  },
  {
    name: 'a language that is not among the available',
    edits: [[['language'], 'lt']],
    needle: '[\n    "en"\n  ]',
    path: 'available_languages',
    message: /"lt", is not among "available_languages"/u,
    hint: /Add "lt"/u,
    severity: 'warning',
  },
  {
    name: 'a lesson before itself',
    edits: [[['prerequisites'], ['soup-headline']]],
    needle: '"soup-headline"\n  ]',
    path: 'prerequisites[0]',
    message: /its own prerequisite/u,
    hint: /another lesson/u,
    severity: 'warning',
  },
];

describe('a fault is told with its place, its path and what would be right:', () => {
  it.each(faults)('$name', ({ edits, needle, path, message, hint, severity = 'error' }) => {
    const result = parseLesson(...edits);
    const expected = { severity, file: 'lesson.json', ...placeOf(lessonText(...edits), needle), path };
    expect(result.findings).toEqual([
      { ...expected, message: expect.stringMatching(message), hint: expect.stringMatching(hint) },
    ]);
    expect(result.kind).toBe(severity === 'error' ? 'rejected' : 'parsed');
  });

  it('in one line of text', () => {
    const { findings } = parseLesson([['difficulty'], 7]);
    expect(describeFindings(findings)).toMatch(
      /^lesson\.json:\d+:17: error: "difficulty" is the number 7, which does not fit\. \(difficulty\) — Write a whole number from 1 to 5, without quotes\.$/u,
    );
  });

  it('together with the others, in the order of the file', () => {
    const { findings } = parseLesson(
      [['title'], 5],
      [['version'], undefined],
      [['reveal', 'key_lesson'], []],
      [['oddity'], 1],
    );
    expect(findings.map((finding) => finding.path)).toEqual(['version', 'title', 'reveal.key_lesson', 'oddity']);
  });

  it('and past a hundred the rest is counted, errors being told first', () => {
    const oddities = Array.from({ length: 150 }, (_, index): Edit => [[`odd key ${index}`], 1]);
    const { findings } = parseLesson(...oddities, [['title'], 5]);
    expect(findings).toHaveLength(101);
    expect(findings.filter(({ severity }) => severity === 'error').map(({ path }) => path)).toEqual(['title']);
    expect(findings.some(({ message }) => message === 'There are 51 more findings.')).toBe(true);
  });
});

describe('a lesson', () => {
  it('without a fault has no findings, and defaults for what it leaves out', () => {
    const result = parseLesson();
    expect(describeFindings(result.findings)).toBe('');
    if (result.kind === 'rejected' || isCompanion(result.cartridge)) throw new Error('rejected');
    expect(result.cartridge).toMatchObject({ task_id: 'soup-headline', status: 'active', language: 'en' });
    expect(result.cartridge.phases[3]).toMatchObject({
      visible_blocks: [],
      evaluator_checklist: [],
      is_ai_phase: false,
    });
    expect(result.cartridge.phases[0]).toMatchObject({ is_terminal: false });
  });

  it('is frozen all the way down, what passed through it as well', () => {
    const result = parseLesson([['presentation_blocks', 6], { id: 'map', type: 'map', pins: [{ x: 1 }] }]);
    if (result.kind === 'rejected' || isCompanion(result.cartridge)) throw new Error('rejected');
    const loose = looseParts(result.cartridge, []);
    expect(loose.map(jsonPathText)).toEqual([]);
    expect(result.cartridge.presentation_blocks[6]).toEqual({ id: 'map', type: 'map', pins: [{ x: 1 }] });
  });

  it('keeps keys and values that the format does not know', () => {
    const result = parseLesson([['moods'], { calm: [null, 1] }], [['phases', 0, 'weather'], null]);
    if (result.kind === 'rejected' || isCompanion(result.cartridge)) throw new Error('rejected');
    expect(result.cartridge['moods']).toEqual({ calm: [null, 1] });
    expect(result.cartridge.phases[0]?.['weather']).toBeNull();
  });

  it('takes a null for an absence wherever it knows the key', () => {
    const result = parseLesson(
      [['status'], null],
      [['phases', 3, 'interaction'], null],
      [['phases', 3, 'trickster_content'], null],
      [['phases', 3, 'visible_blocks'], null],
      [['phases', 0, 'interaction', 'choices', 1, 'context_label'], null],
      [['presentation_blocks', 1, 'caption'], null],
      [['presentation_blocks', 5, 'child_queries'], [null]],
      [['phases', 2, 'evaluator_checklist', 1, 'description'], null],
      [['evaluation', 'checklist', 0, 'is_mandatory'], null],
    );
    expect(describeFindings(result.findings)).toBe('');
    if (result.kind === 'rejected' || isCompanion(result.cartridge)) throw new Error('rejected');
    expect(result.cartridge.status).toBe('active');
    expect(result.cartridge.phases[3]).not.toHaveProperty('interaction');
    expect(result.cartridge.presentation_blocks[5]).toMatchObject({ child_queries: [] });
    expect(result.cartridge.evaluation.checklist[0]?.is_mandatory).toBe(false);
  });

  it('may name its schema, its kind and its safe words', () => {
    const result = parseLesson(
      [['$schema'], '../lesson.schema.json'],
      [['kind'], 'lesson'],
      [['safety', 'safe_words'], { lt: ['gana'], en: ['stop it'] }],
    );
    expect(describeFindings(result.findings)).toBe('');
  });

  it('of a static kind needs no character', () => {
    const result = parseLesson(
      [['task_type'], 'static'],
      [['ai_config'], null],
      [['phases'], [{ ...end, visible_blocks: ['story'] }]],
      [['initial_phase'], 'x'],
      [['presentation_blocks'], [{ id: 'story', type: 'text', text: '' }]],
      [['evaluation'], { pass_conditions: { trickster_wins: '', partial: '', trickster_loses: '' } }],
      [['is_clean'], true],
      [['reveal'], { key_lesson: '' }],
      [['available_languages'], undefined],
      [['safety', 'content_boundaries'], undefined],
    );
    expect(describeFindings(result.findings)).toBe('');
    expect(result.kind).toBe('parsed');
  });

  it('as others write it is read as it is', () => {
    const result = parseLesson(
      [['presentation_blocks', 3, 'engagement'], '3 tūkst.'],
      [['presentation_blocks', 3, 'image_alt'], 'A post'],
      [['presentation_blocks', 6], { id: 'chart', type: 'html_embed', src: 'chart.html', title: 'Chart' }],
      [
        ['reveal', 'additional_resources'],
        ['A book', { title: 'A site', url: 'https://example.org' }],
      ],
      [
        ['phases', 2, 'evaluator_checklist'],
        ['Says why, in own words', { description: 'Doubts' }],
      ],
      [['ai_config', 'model_preference'], undefined],
      [['ai_config', 'prompt_directory'], undefined],
      [['phases', 1, 'interaction', 'min_key_findings'], undefined],
      [['version'], '1.0'],
    );
    expect(result.kind).toBe('parsed');
    expect(result.findings.map(({ path }) => path)).toEqual([
      'presentation_blocks[6].type',
      'ai_config.model_preference',
    ]);
    if (result.kind === 'parsed') expect(result.cartridge.ai_config?.model_preference).toBe('standard');
  });

  it('may call a file by either of its two names', () => {
    expect(parseLesson([['presentation_blocks', 1, 'src'], './assets/soup.png']).findings).toEqual([]);
    expect(parseLesson([['presentation_blocks', 3, 'image'], 'post.png']).findings).toEqual([]);
  });

  it('has its queries matched as a student would type them', () => {
    expect(parseLesson([['phases', 1, 'interaction', 'starting_queries', 0], ' THE   cook! ']).findings).toEqual([]);
  });

  it('counts only the findings that its phase lists', () => {
    const result = parseLesson([['phases', 1, 'visible_blocks'], ['cook']]);
    expect(result.findings.map(({ path }) => path)).toContain('phases[1].interaction.min_key_findings');
  });
});

describe('a file', () => {
  const parse = (text: string) => parseCartridge({ file: 'f.json', text });

  it('that is no JSON is told at the place where it breaks', () => {
    expect(parse('{\n  "title": "x"\n  "b": 1\n}').findings).toEqual([
      {
        severity: 'error',
        file: 'f.json',
        line: 3,
        column: 3,
        path: '$',
        message: expect.any(String),
        hint: expect.any(String),
      },
    ]);
  });

  it.each(['[]', '"lesson"', 'null', '12'])('that is %s is no cartridge', (text) => {
    expect(parse(text)).toMatchObject({
      kind: 'rejected',
      findings: [{ path: '$', message: 'The file is not an object.' }],
    });
  });

  it('with a key that stands twice is told of it and read', () => {
    const text = lessonText().replace('"title": "The soup headline"', '"title": "A",\n  "title": "B"');
    const result = parseCartridge({ file: 'f.json', text, assets: lessonAssets });
    expect(result).toMatchObject({ kind: 'parsed', cartridge: { title: 'B' } });
    expect(result.findings).toMatchObject([{ severity: 'warning', line: 5, column: 3, path: 'title' }]);
  });

  it('of a kind that is none is told what it may be', () => {
    const [finding] = parse('{ "kind": "companoin" }').findings;
    expect(finding).toMatchObject({
      severity: 'error',
      path: 'kind',
      message: '"companoin" is not a kind of cartridge.',
    });
    expect(finding?.hint).toContain('Did you mean "companion"?');
    expect(parse('{ "kind": 7 }').findings).toMatchObject([{ severity: 'error', path: 'kind' }]);
    expect(parse('{ "kind": "constructor" }').findings).toMatchObject([{ severity: 'error', path: 'kind' }]);
  });

  it('with a byte order mark is read', () => {
    expect(parseCartridge({ file: 'f.json', text: `\uFEFF${lessonText()}` }).kind).toBe('parsed');
  });
});

describe('whatever the JSON', () => {
  it('reading never throws, and rejects with a reason', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const result = parseCartridge({ file: 'f.json', text: JSON.stringify(value), folder: 'f', assets: new Set() });
        expect(result.kind === 'parsed' || result.findings.length > 0).toBe(true);
      }),
    );
  });

  it('put anywhere into a lesson, reading never throws, points into the file and speaks plainly', () => {
    const paths = everyPath(JSON.parse(lessonText()) as unknown, []).filter((path) => path.length > 0);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.oneof(fc.jsonValue(), fc.constant(undefined)), (path, value) => {
        const text = lessonText([path, value]);
        const lines = text.split('\n');
        for (const finding of parseCartridge({ file: 'f.json', text, assets: lessonAssets }).findings) {
          expect(lines[finding.line - 1]?.length).toBeGreaterThanOrEqual(finding.column);
          expect(`${finding.message} ${finding.hint}`).not.toMatch(/undefined|Invalid input|expected|another value/u);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function looseParts(value: unknown, path: JsonPath): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, item]) => looseParts(item, [...path, key]));
  return Object.isFrozen(value) ? inner : [path, ...inner];
}

function everyPath(value: unknown, path: JsonPath): JsonPath[] {
  const inner = Array.isArray(value)
    ? [...value.entries()]
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  return [path, ...inner.flatMap(([key, item]) => everyPath(item, [...path, key]))];
}
