import type { ScriptedRequest } from 'responses-loop/testing';
import { INTERRUPTED, UNANSWERED } from '../chat/open-calls.js';

type Item = ScriptedRequest['input'][number];

/** A tool as it is offered. */
export interface OfferedTool {
  readonly name: string;
  readonly parameters: unknown;
}

/** What a tool answered to the question. */
export interface ToolAnswer {
  readonly name: string;
  readonly text: string;
}

/** What is known of the conversation from what was sent, as a model would know it. */
export interface Facts {
  /** What the person said, oldest first. */
  readonly said: readonly string[];
  /** The last request of the person: neither "Continue." nor what was said while the model worked. */
  readonly question: string;
  /** The person wants the rest of what was stopped. */
  readonly isContinued: boolean;
  /** What the person said while the model worked on the question, oldest first. */
  readonly meanwhile: readonly string[];
  /** The model hears it with this request. */
  readonly isHeardNow: boolean;
  /** What the model said since the last tool answered. */
  readonly spoken: readonly string[];
  readonly system: string;
  readonly offered: readonly OfferedTool[];
  readonly answers: readonly ToolAnswer[];
  /** How many files came with what the person said last. */
  readonly files: number;
}

export function factsOf({ input, body }: ScriptedRequest): Facts {
  const users = input.filter((item) => item['role'] === 'user');
  const asked = input.findLastIndex((item, at) => item['role'] === 'user' && !isContinue(item) && !isHeard(input, at));
  const question = asked === -1 ? users.at(-1) : input[asked];
  const since = input.slice(asked + 1);
  const isDone = (item: Item): boolean => item['type'] === 'function_call_output' && !isCut(textOf(item['output']));
  const spoken = since.slice(since.findLastIndex(isDone) + 1).filter(({ role }) => role === 'assistant');
  const calls = input.filter((item) => item['type'] === 'function_call');
  const names = new Map(calls.map(({ call_id: id, name }) => [id, typeof name === 'string' ? name : undefined]));
  const heard = since.filter((item, at) => isHeard(input, asked + 1 + at) && !isContinue(item));
  const system = input.filter(({ role }) => role === 'system' || role === 'developer');
  const tools = Array.isArray(body['tools']) ? (body['tools'] as readonly Item[]) : [];
  return {
    said: users.map((item) => textOf(item['content'])),
    question: textOf(question?.['content']),
    isContinued: users.length > 1 && isContinue(users.at(-1)),
    meanwhile: heard.map((item) => textOf(item['content'])),
    isHeardNow: heard.length > 0 && heard.at(-1) === input.at(-1),
    spoken: spoken.map((item) => textOf(item['content'])),
    system: [textOf(body['instructions']), ...system.map((item) => textOf(item['content']))].join('\n'),
    offered: tools.flatMap(({ name, parameters }) => (typeof name === 'string' ? [{ name, parameters }] : [])),
    files: filesIn(question?.['content']),
    answers: since
      .filter(isDone)
      .map((item) => ({ name: names.get(item['call_id']) ?? 'a tool', text: textOf(item['output']) })),
  };
}

/** What the button Continue sends, or a person who writes the same. */
function isContinue(item: Item | undefined): boolean {
  return item?.['role'] === 'user' && /^\s*(?:continue|go on)[.!]?\s*$/i.test(textOf(item['content']));
}

/**
 * A message in the middle of a turn stands behind the output of a tool, or behind another one. One that was sent instead of an
 * answer begins a turn.
 */
function isHeard(input: readonly Item[], at: number): boolean {
  if (input[at]?.['role'] !== 'user') return false;
  const before = input.slice(0, at).findLast(({ role }) => role !== 'user');
  if (before?.['type'] !== 'function_call_output') return false;
  const output = textOf(before['output']);
  return !isCut(output) && !output.includes(UNANSWERED);
}

/** Its tool has not told how it ended, so it is called again. */
function isCut(output: string): boolean {
  return output.startsWith(INTERRUPTED) || /^\{"ok":false,"error":"It was stopped\."[,}]/.test(output);
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
