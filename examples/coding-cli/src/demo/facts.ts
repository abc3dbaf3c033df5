import type { ScriptedRequest } from 'responses-loop/testing';

type Item = ScriptedRequest['input'][number];

/** A call of a tool, and what came of it. */
export interface PastCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
}

/** What is known of the conversation from what was sent, as a model would know it. */
export interface Facts {
  /** What the user said, oldest first. */
  readonly said: readonly string[];
  readonly offered: readonly string[];
  /** Since the user said something. */
  readonly calls: readonly PastCall[];
}

/** What comes next: a call, and what is said before it; or the answer. */
export type Step =
  | { readonly call: string; readonly input: Readonly<Record<string, unknown>>; readonly saying?: string }
  | { readonly say: string };

export function factsOf({ input, body }: ScriptedRequest): Facts {
  const users = input.filter((item) => item['role'] === 'user');
  const since = input.slice(input.lastIndexOf(users.at(-1) as Item) + 1);
  const outputs = new Map(
    since.map((item) => [item['type'] === 'function_call_output' ? item['call_id'] : undefined, item['output']]),
  );
  const calls = since.filter((item) => item['type'] === 'function_call' && outputs.has(item['call_id']));
  const tools = Array.isArray(body['tools']) ? (body['tools'] as readonly Item[]) : [];
  return {
    said: users.map((item) => textOf(item['content'])),
    offered: tools.flatMap((tool) => (typeof tool['name'] === 'string' ? [tool['name']] : [])),
    calls: calls.map((item) => ({
      tool: textOf(item['name']),
      input: objectOf(item['arguments']),
      output: textOf(outputs.get(item['call_id'])),
    })),
  };
}

export function objectOf(text: unknown): Readonly<Record<string, unknown>> {
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map((part: { text?: string }) => part.text ?? '').join('');
  return typeof value === 'string' ? value : '';
}
