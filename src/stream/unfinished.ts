import { asArray, asId, asString } from '../util/guards.js';

const UNFINISHED: ReadonlySet<string> = new Set(['queued', 'in_progress']);

/** Whether a response, given as the end of an exchange, still runs at the server (`background: true`). */
export function isUnfinished(response: Readonly<Record<string, unknown>>): boolean {
  return UNFINISHED.has(asString(response['status']) ?? '');
}

/** Whether there is nothing in it. Some servers forget to change the status of a response that they streamed whole. */
export function isEmpty(response: Readonly<Record<string, unknown>>): boolean {
  return asArray(response['output']).length === 0;
}

/** The same response with an error of our words: it must not be taken for an answer that says nothing. */
export function failUnfinished(response: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const id = asId(response['id']);
  const named = id === undefined ? '' : ` ${id}`;
  const status = asString(response['status']) ?? '';
  const message = `The response${named} is not finished: the server still works on it. Ask for it later with GET /responses/${id ?? '{id}'}, or call without background: true.`;
  return { ...response, error: { code: status, message } };
}
