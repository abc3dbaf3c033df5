import type { ScriptedRequest } from 'responses-loop/testing';

type Item = ScriptedRequest['input'][number];

/** A tool as it is offered. */
export interface OfferedTool {
  readonly name: string;
  readonly parameters: unknown;
}

/** What a tool answered since the person said something. */
export interface ToolAnswer {
  readonly name: string;
  readonly text: string;
}

/** What is known of the conversation from what was sent, as a model would know it. */
export interface Facts {
  /** What the person said, oldest first. */
  readonly said: readonly string[];
  readonly system: string;
  readonly offered: readonly OfferedTool[];
  readonly answers: readonly ToolAnswer[];
  /** How many files came with what the person said last. */
  readonly files: number;
}

export function factsOf({ input, body }: ScriptedRequest): Facts {
  const users = input.filter((item) => item['role'] === 'user');
  const asked = input.lastIndexOf(users.at(-1) as Item);
  const calls = input.filter((item) => item['type'] === 'function_call');
  const names = new Map(calls.map(({ call_id: id, name }) => [id, typeof name === 'string' ? name : undefined]));
  const results = input.slice(asked + 1).filter((item) => item['type'] === 'function_call_output');
  const system = input.filter(({ role }) => role === 'system' || role === 'developer');
  const tools = Array.isArray(body['tools']) ? (body['tools'] as readonly Item[]) : [];
  return {
    said: users.map((item) => textOf(item['content'])),
    system: [textOf(body['instructions']), ...system.map((item) => textOf(item['content']))].join('\n'),
    offered: tools.flatMap(({ name, parameters }) => (typeof name === 'string' ? [{ name, parameters }] : [])),
    files: filesIn(users.at(-1)?.['content']),
    answers: results.map((item) => ({ name: names.get(item['call_id']) ?? 'a tool', text: textOf(item['output']) })),
  };
}

function filesIn(content: unknown): number {
  if (!Array.isArray(content)) return 0;
  return content.filter((part: { type?: string }) => part.type === 'input_image' || part.type === 'input_file').length;
}

/** A string, or a list of parts of which some have a text. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((part: { text?: string }) => part.text ?? '').join('\n');
  return typeof value === 'string' ? value : '';
}
