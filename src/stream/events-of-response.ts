import { asArray, asId, asRecord, asString, isRecord } from '../util/guards.js';
import { type DecodedEvent, TERMINAL_OF } from './decode-event.js';

/**
 * Returns the events that would have streamed a whole response, so that one reducer serves both: created, each item
 * done, then the terminal event that its status names.
 */
export function eventsOfResponse(body: unknown): DecodedEvent[] {
  if (!isRecord(body)) return [];
  if (isFailure(body)) return [{ ...body, type: 'error' }];
  if (!('output' in body) && 'choices' in body) return [{ ...body, type: asString(body['object']) ?? '' }];
  const explainsItself = isUnfinished(body) || TERMINAL_OF.get(body['status']) !== undefined;
  if (!Array.isArray(body['output']) && !explainsItself) return [];
  const created = { type: 'response.created', response: { ...body, output: [], usage: null } };
  // Its items may be unfinished.
  if (isUnfinished(body)) return [created, { type: 'response.failed', response: failUnfinished(body) }];
  return [
    created,
    ...asArray(body['output']).map((item, index) => ({
      type: 'response.output_item.done',
      output_index: index,
      item,
    })),
    { type: TERMINAL_OF.get(body['status']) ?? 'response.completed', response: body },
  ];
}

/**
 * Error bodies have the form `{error}`, `{message, code}`, `{detail}` and `{success: false}`; a failed response is not
 * an error body.
 */
function isFailure(body: Record<string, unknown>): boolean {
  if (body['object'] === 'response' || 'output' in body) return false;
  return (
    body['error'] != null || body['detail'] != null || body['success'] === false || typeof body['message'] === 'string'
  );
}

const UNFINISHED: ReadonlySet<string> = new Set(['queued', 'in_progress']);

/** Whether a response, given as the end of an exchange, still runs at the server (`background: true`). */
export function isUnfinished(response: Readonly<Record<string, unknown>>): boolean {
  return UNFINISHED.has(asString(response['status']) ?? '');
}

/** Whether `failUnfinished` marked it as not finished. */
export function wasFoundUnfinished(response: Readonly<Record<string, unknown>>): boolean {
  return isUnfinished(response) && asRecord(response['error'])?.['code'] === response['status'];
}

/** Whether it is empty. Some servers forget to change the status of a response that they streamed whole. */
export function isEmpty(response: Readonly<Record<string, unknown>>): boolean {
  return asArray(response['output']).length === 0;
}

/** The same response with an error that we made: it must not pass for an empty answer. */
export function failUnfinished(response: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const id = asId(response['id']);
  const named = id === undefined ? '' : ` ${id}`;
  const status = asString(response['status']) ?? '';
  const message = `The response${named} is not finished. Ask for it later with GET /responses/${id ?? '{id}'}, or call without background: true.`;
  return { ...response, error: { code: status, message } };
}
