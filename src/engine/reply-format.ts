import { z } from 'zod';

/** A reply's format, ready to be held against what a model wrote. */
export type ReplyFormat = {
  kind: 'format';
  /** `problems`: where and what is wrong, in the schema's words and never in the reply's. */
  check(raw: string): { kind: 'valid'; value: unknown } | { kind: 'invalid'; problems: string[] };
};

const mostProblems = 8;

/** Makes a format of a cartridge's JSON Schema; `wrong` where that is no schema that can be held against anything. */
export function compileReplyFormat(schema: unknown): ReplyFormat | { kind: 'wrong'; message: string } {
  let type: z.ZodType;
  try {
    type = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : 'it is no JSON Schema' };
  }
  return {
    kind: 'format',
    check(raw) {
      const json = objectIn(raw);
      if (json === null) return { kind: 'invalid', problems: ['the reply holds no JSON object'] };
      let value: unknown;
      try {
        value = JSON.parse(json);
      } catch {
        return { kind: 'invalid', problems: ['the reply is not valid JSON'] };
      }
      const parsed = type.safeParse(value);
      if (parsed.success) return { kind: 'valid', value };
      return { kind: 'invalid', problems: parsed.error.issues.slice(0, mostProblems).map(readIssue) };
    },
  };
}

/** What a model is asked for whose reply was not as it had to be. */
export function repairRequest(problems: readonly string[], language: string): string {
  const list = problems.map((problem) => `- ${problem}`).join('\n');
  return language === 'lt'
    ? `(Tavo atsakymas neatitiko formato:\n${list}\nAtsiųsk visą atsakymą dar kartą: tik JSON objektą, be jokių kitų žodžių.)`
    : `(Your reply did not fit the format:\n${list}\nSend the whole reply again: the JSON object alone, without any other word.)`;
}

/** From the first brace to the last: a fence or a word around the object is passed over, nothing else is mended. */
function objectIn(raw: string): string | null {
  const start = raw.indexOf('{');
  const end = raw.lastIndexOf('}');
  return start < 0 || end < start ? null : raw.slice(start, end + 1);
}

/** An issue without anything the model wrote: its path and what would be right. */
function readIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.') || 'the object';
  return issue.code === 'unrecognized_keys' ? `${path}: it has fields that are not known` : `${path}: ${issue.message}`;
}
