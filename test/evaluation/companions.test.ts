import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCompanion } from '../../src/cartridge/cartridge-text.ts';
import { layersOf, memoryLayers } from '../../src/cartridge/companion.ts';
import { parseCartridge } from '../../src/cartridge/parse.ts';
import {
  openStage,
  type PlayedConversation,
  type PlayedScript,
  playScript,
  type Stage,
} from '../fixtures/conversation-player.ts';
import {
  type ConversationScript,
  readScript,
  type ScriptedReply,
  scriptNames,
} from '../fixtures/conversation-script.ts';
import { chatRequest, systemOf } from '../fixtures/model-server.ts';
import type { UpstreamRequest } from '../fixtures/scripted-upstream.ts';

/*
 * Every companion that ships, played against recorded replies. `prompts/<companion>/<name>.md` is what the model was
 * given to read, for people to judge; `vitest run test/evaluation -u` writes it
 * anew after a change that was meant.
 */

const safetyLayers = ['safety', 'safety_configuration', 'language'];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

describe.each(scriptNames())('$companion', ({ companion, names }) => {
  describe.each(names)('%s', (name) => {
    const script = readScript(companion, name);
    let played: PlayedScript;

    beforeAll(async () => {
      played = await playScript(stage, script);
    });

    it('gives the model exactly these prompts', async () => {
      const file = join(import.meta.dirname, 'prompts', companion, `${name}.md`);
      await expect(played.document).toMatchFileSnapshot(file);
    });

    it('says what was recorded', () => {
      for (const { turns } of played.conversations)
        for (const { script: said, turn } of turns) {
          expect(turn.last.event, said.says).toBe('done');
          const text = toldBy(said.replies.at(-1));
          expect(turn.text.startsWith(text), turn.text).toBe(true);
        }
    });

    it('keeps every layer within the tokens that its cartridge allows', () => {
      const allowed = budgetsOf(companion);
      expect(script.budgets).toEqual(allowed);
      for (const { layers } of tracesOf(played))
        for (const { name: layer, tokens = 0 } of layers)
          expect(tokens, layer).toBeLessThanOrEqual(allowed[layer] ?? Number.POSITIVE_INFINITY);
    });

    it('holds the layers it has to, safety before memory', () => {
      for (const { script: conversation, turns } of played.conversations) {
        const there = turns.at(-1)?.trace.layers.filter(({ absent }) => absent === undefined) ?? [];
        const built = there.map((layer) => layer.name).filter((layer) => Object.hasOwn(script.budgets, layer));
        expect(built).toEqual(conversation.holds);
      }
      for (const { layers } of tracesOf(played)) {
        const order = layers.map((layer) => layer.name);
        const firstMemory = order.findIndex((layer) => memoryLayers.has(layer));
        for (const layer of safetyLayers) expect(order.slice(0, firstMemory), layer).toContain(layer);
      }
    });

    it('remembers what it should, and nothing twice', () => {
      for (const { script: conversation, memory } of played.conversations) {
        const { never, ...remembered } = conversation.remembered;
        expect(memory.remembered, conversation.day).toEqual(remembered);
        expect(new Set(memory.remembered.facts).size).toBe(memory.remembered.facts.length);
        for (const words of never) expect(memory.whole).not.toContain(words);
      }
    });

    if (script.orders.length > 0)
      it('shows the model orders hidden in what was said as quoted data alone', () => {
        const lines = played.conversations.flatMap(requestsOf).flatMap(linesNotSpoken);
        for (const order of script.orders) {
          const bearing = lines.filter((line) => line.includes(order));
          expect(bearing.length).toBeGreaterThan(0);
          expect(bearing.filter((line) => !line.startsWith('| '))).toEqual([]);
        }
      });

    if (crisesOf(script).length > 0) {
      it('answers signs of crisis with help lines, and tells people of them', () => {
        for (const { turns, alertedTurns } of played.conversations) {
          const inCrisis = turns.filter(({ script: said }) => said.crisis !== undefined);
          expect(alertedTurns).toEqual(inCrisis.map(({ turn }) => turn.turnId));
          for (const { script: said, turn, trace } of inCrisis) {
            for (const line of said.crisis ?? []) expect(turn.text).toContain(line);
            expect(trace.input.crisis.length).toBeGreaterThan(0);
            expect(trace.layers.find((layer) => layer.name === 'crisis')?.absent).toBeUndefined();
          }
        }
      });

      it('gives what showed signs of crisis to no task and to no later conversation', () => {
        for (const [index, { script: conversation }] of played.conversations.entries()) {
          const later = played.conversations.slice(index + 1).flatMap(requestsOf);
          const asked = [...played.conversations.slice(index).flatMap(({ tasks }) => tasks), ...later];
          const read = JSON.stringify(asked.map((request) => request.body));
          const hurt = conversation.turns.filter(({ crisis }) => crisis !== undefined);
          // Not `not.toContain`: what a failure prints should be the words, and not all that was read.
          for (const { says, replies } of hurt)
            for (const words of [says, ...replies.filter((reply) => typeof reply === 'string')])
              expect(read.includes(words) ? words : null).toBeNull();
        }
      });
    }
  });
});

/** The tokens that each layer with a budget may take, as the cartridge that ships says. */
function budgetsOf(companion: string): Record<string, number> {
  const file = join(import.meta.dirname, '..', '..', 'cartridges', companion, 'cartridge.json');
  const parsed = parseCartridge({ file, text: readFileSync(file, 'utf8'), folder: companion });
  if (parsed.kind === 'rejected' || !isCompanion(parsed.cartridge)) throw new Error(`${companion} cannot be read`);
  return Object.fromEntries(
    layersOf(parsed.cartridge).flatMap(({ layer, budgetTokens }) =>
      budgetTokens === null ? [] : [[layer, budgetTokens]],
    ),
  );
}

/** What of a recorded reply the person is shown. */
function toldBy(reply: ScriptedReply | undefined): string {
  if (typeof reply === 'string') return reply;
  const explanation = reply && 'json' in reply ? reply.json['user_explanation'] : null;
  return typeof explanation === 'string' ? explanation : 'nothing: a tool was called last';
}

function tracesOf({ conversations }: PlayedScript) {
  return conversations.flatMap(({ turns }) => turns.map(({ trace }) => trace));
}

function requestsOf({ turns, tasks }: PlayedConversation): UpstreamRequest[] {
  return [...turns.flatMap(({ requests }) => requests), ...tasks];
}

/** The lines of a request but for the messages of the conversation itself, which are as they were spoken. */
function linesNotSpoken(request: UpstreamRequest): string[] {
  const { model, messages } = chatRequest(request);
  const isTask = model === 'fast-model';
  const texts = messages.filter(({ role }) => role === 'tool' || isTask).map(({ content }) => content);
  return [systemOf(request), ...texts].flatMap((text) => text.split(/\r\n?|[\n\u2028\u2029\u0085\v\f]/u));
}

function crisesOf({ conversations }: ConversationScript) {
  return conversations.flatMap(({ turns }) => turns.filter(({ crisis }) => crisis !== undefined));
}
