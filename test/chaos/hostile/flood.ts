import type { JsonObject } from '../../../src/core/json.js';
import type { FloodAnswer, FloodKind } from './scenario.js';

/** An event of a stream, as text. */
function frame(event: JsonObject): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

const times = (count: number, make: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => make(at));
const added = (index: number, item: JsonObject): string =>
  frame({ type: 'response.output_item.added', output_index: index, item });
const finished = (index: number, item: JsonObject): string =>
  frame({ type: 'response.output_item.done', output_index: index, item });
const delta = (index: number, text: string, id = `m${index}`): string =>
  frame({ type: 'response.output_text.delta', output_index: index, item_id: id, content_index: 0, delta: text });
const call = (name: string, at: number, rest: JsonObject = {}): JsonObject => ({
  type: 'function_call',
  id: `fc${at}`,
  call_id: `c${at}`,
  name,
  arguments: `{"m":"M.flood.${at}"}`,
  status: 'completed',
  ...rest,
});
const message = (at: number): JsonObject => ({ type: 'message', id: `m${at}`, role: 'assistant', content: [] });

/** What comes many times, between the first event and the last. */
const FLOODS: { readonly [K in FloodKind]: (count: number) => string[] } = {
  deltas: (count) => [added(0, message(0)), ...times(count, () => delta(0, 'w'))],
  'blank-deltas': (count) => [added(0, message(0)), ...times(count, () => delta(0, ' '))],
  'argument-deltas': (count) => [
    added(0, call('act', 0, { arguments: '', status: 'in_progress' })),
    ...times(count, (at) =>
      frame({
        type: 'response.function_call_arguments.delta',
        output_index: 0,
        item_id: 'fc0',
        delta: at === 0 ? '{"m":"' : at === count - 1 ? '"}' : 'w',
      }),
    ),
    finished(0, call('act', 0, { arguments: `{"m":"${'w'.repeat(count - 2)}"}` })),
  ],
  'calls-read': (count) => times(count, (at) => finished(at, call('look', at))),
  'calls-write': (count) => times(count, (at) => finished(at, call('act', at))),
  'calls-client': (count) => times(count, (at) => finished(at, call('ask', at))),
  'calls-open': (count) => times(count, (at) => added(at, call('act', at, { arguments: '', status: 'in_progress' }))),
  'same-ids': (count) =>
    times(count, (at) => finished(at, call('act', 0, { arguments: JSON.stringify({ m: `M.flood.${at}` }) }))),
  // Too much to check, and wrong: a check that gives up must not let it pass.
  'big-arguments': (count) => [
    finished(
      0,
      call('act', 0, { arguments: JSON.stringify({ m: 'M.big.0', path: '/etc', tags: Array(count).fill(null) }) }),
    ),
  ],
  items: (count) => times(count, (at) => added(at, message(at)) + delta(at, 'w')),
  'unknown-items': (count) => times(count, (at) => finished(at, { type: 'chaos_item', id: `x${at}` })),
  'same-index': (count) => times(count, (at) => added(0, message(at)) + delta(0, 'w', `m${at}`)),
  'never-announced': (count) => times(count, (at) => delta(at, 'w')),
  annotations: (count) => [
    added(0, message(0)),
    delta(0, 'w'),
    ...times(count, (at) =>
      frame({
        type: 'response.output_text.annotation.added',
        output_index: 0,
        item_id: 'm0',
        content_index: 0,
        annotation_index: at,
        annotation: { type: 'url_citation', url: `http://127.0.0.1:1/${at}`, title: 'w' },
      }),
    ),
  ],
  contents: (count) => [
    added(0, message(0)),
    ...times(count, (at) =>
      frame({ type: 'response.output_text.delta', output_index: 0, item_id: 'm0', content_index: at, delta: 'w' }),
    ),
  ],
  'reasoning-sections': (count) => [
    added(0, { type: 'reasoning', id: 'm0', summary: [] }),
    ...times(count, (at) =>
      frame({
        type: 'response.reasoning_summary_text.delta',
        output_index: 0,
        item_id: 'm0',
        summary_index: at,
        delta: 'w',
      }),
    ),
  ],
  'no-json': (count) => times(count, () => 'data: x\n\n'),
  comments: (count) => times(count, () => ': keep-alive\n\n'),
  'blank-lines': (count) => times(count, () => '\n'),
  nesting: (count) => [
    `data: {"type":"response.output_item.done","output_index":0,"item":{"type":"chaos_item","x":${'['.repeat(count)}${']'.repeat(count)}}}\n\n`,
    added(1, message(1)),
    delta(1, 'w'),
  ],
};

export interface Flood {
  readonly frames: readonly string[];
  /** How many things there are to look at. */
  readonly units: number;
}

export function floodOf({ of, count }: FloodAnswer, number: number): Flood {
  const id = `resp_flood_${number}`;
  const frames = [
    frame({ type: 'response.created', response: { id } }),
    ...FLOODS[of](count),
    frame({ type: 'response.completed', response: { id, status: 'completed', output: [] } }),
  ];
  return { frames, units: frames.length };
}

/** The bytes as they arrive. */
export function piecesOf({ frames }: Flood, pieces: FloodAnswer['pieces']): Uint8Array[] {
  if (pieces === 'each') return frames.map((text) => Buffer.from(text));
  const whole = Buffer.from(frames.join(''));
  if (pieces === 'one') return [whole];
  const cut: Uint8Array[] = [];
  for (let at = 0; at < whole.length; at += 8_192) cut.push(whole.subarray(at, at + 8_192));
  return cut;
}
