import type { ScriptedRequest } from 'responses-loop/testing';

type Item = ScriptedRequest['input'][number];

/** What an input holds, in short: `user`, `call add`, `output 5`, `says Hello`, `thinks sealed`. */
export function outline(request: ScriptedRequest | undefined): string[] {
  return (request?.input ?? []).map(outlineItem);
}

function outlineItem(item: Item): string {
  if (item['type'] === 'function_call') return `call ${plain(item['name'])}`;
  if (item['type'] === 'function_call_output') return `output ${plain(item['output'])}`;
  if (item['type'] === 'reasoning') return `thinks ${plain(item['encrypted_content'])}`;
  const text = textOf(item);
  return item['role'] === 'assistant' ? `says ${text}` : `${plain(item['role'])} ${text}`;
}

function textOf(item: Item): string {
  const { content } = item;
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part) => (isObject(part) ? plain(part['text'] ?? part['type']) : '')).join(' ')
    : '';
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function itemsOfType(request: ScriptedRequest | undefined, type: string): Item[] {
  return (request?.input ?? []).filter((item) => item['type'] === type);
}

/** The outputs in a request as `[call id, text]`, in their order. */
export function outputs(request: ScriptedRequest | undefined): [string, string][] {
  return itemsOfType(request, 'function_call_output').map((item) => [plain(item['call_id']), plain(item['output'])]);
}

/** Names of the function tools a request offers. */
export function offered(request: ScriptedRequest | undefined): string[] {
  const tools = request?.body['tools'];
  return Array.isArray(tools) ? tools.map((tool) => (isObject(tool) ? plain(tool['name']) : '')) : [];
}

/** A request without what belongs to its transport; for comparing two requests for the same thing. */
export function bodyWithoutStream(request: ScriptedRequest | undefined): Item {
  const { stream: _stream, ...body } = request?.body ?? {};
  return body;
}
