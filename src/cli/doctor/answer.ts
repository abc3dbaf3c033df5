import type { JsonObject } from '../../core/json.js';
import { asId, asNumber, asRecord, asRecords, asString } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';

export type Item = Record<string, unknown>;

/** The answer of a server, as far as it could be read. */
export interface Answer {
  /** `answer`: the model answered. `refused`: the server refused. `broken`: neither; `problem` has the reason. */
  readonly kind: 'answer' | 'refused' | 'broken';
  /** Why it is no answer, as a sentence without a full stop. */
  readonly problem: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly isStream: boolean;
  readonly events: readonly Item[];
  readonly items: readonly Item[];
  /** The response, or the JSON of an error. */
  readonly body: Item;
  readonly text: string;
  readonly calls: readonly Call[];
  readonly usage: Usage | undefined;
  readonly chunks: number;
  /** Whether reading stopped early on request. */
  readonly isLeft: boolean;
  /** Whether its messages have `event:` lines. */
  readonly hasEventLines: boolean;
  readonly ms: number;
  readonly firstMs: number;
}

export interface Call {
  readonly name: string;
  readonly callId: string;
  /** `undefined` if they are no JSON object. */
  readonly args: Item | undefined;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
}

const FINAL = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.done']);

export function finalEvent(events: readonly Item[]): Item | undefined {
  return events.findLast((event) => FINAL.has(String(event['type'])));
}

/** Returns the output of the response, or the items finished before it. */
export function itemsOf(events: readonly Item[], body: Item): readonly Item[] {
  const output = asRecords(body['output']);
  if (output.length > 0) return output;
  const done = events.filter(({ type }) => type === 'response.output_item.done');
  return asRecords(done.map((event) => event['item']));
}

export function textOf(items: readonly Item[], events: readonly Item[]): string {
  const texts = items
    .filter(({ type }) => type === 'message')
    .flatMap((item) => asRecords(item['content']))
    .map((part) => asString(part['text']) ?? '');
  if (texts.some((text) => text !== '')) return texts.join('');
  const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
  return deltas.map((event) => asString(event['delta']) ?? '').join('');
}

export function callsOf(items: readonly Item[]): readonly Call[] {
  return items
    .filter(({ type }) => type === 'function_call')
    .map((item) => ({
      name: asString(item['name']) ?? '',
      callId: asId(item['call_id']) ?? '',
      args: asRecord(parseJson(asString(item['arguments']) ?? '')),
    }));
}

export function usageOf(body: Item): Usage | undefined {
  const usage = asRecord(body['usage']);
  const input = asNumber(usage?.['input_tokens']);
  const output = asNumber(usage?.['output_tokens']);
  return input === undefined || output === undefined || input + output === 0 ? undefined : { input, output };
}

/** Returns the text of an error, from any of the usual members; validators list the faults next to it. */
export function errorWords(body: Item): string | undefined {
  const inner = body['error'] ?? body['detail'] ?? body['message'];
  const lists = [inner, body['issues'], body['errors']].flatMap(asRecords);
  const words = [typeof inner === 'string' ? inner : messageOf(asRecord(inner)), messageOf(lists[0])];
  const known = words.filter((word) => word !== undefined);
  return known.length === 0 ? undefined : known.join(': ');
}

function messageOf(entry: Item | undefined): string | undefined {
  return asString(entry?.['message']) ?? asString(entry?.['msg']);
}

/** Returns the model's reasoning items. */
export function reasoningOf({ items }: Pick<Answer, 'items'>): readonly JsonObject[] {
  // They were parsed from JSON.
  return items.filter(({ type }) => type === 'reasoning') as JsonObject[];
}
