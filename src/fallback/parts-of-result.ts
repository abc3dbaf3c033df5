import type { RoundPart } from '../core/part.js';
import { asId, asRecord, asRecords } from '../util/guards.js';
import { metadataOf } from './stock-metadata.js';
import type { StockRound } from './stock-round.js';

type Part = Readonly<Record<string, unknown>>;

/** A generate result, read as the stream it would have been. */
export async function* readResult(
  result: Part,
  reader: StockRound,
): AsyncGenerator<readonly RoundPart[], void, undefined> {
  const { warnings, response, finishReason, usage, providerMetadata } = result;
  const facts = asRecord(response) ?? {};
  // The items it was made of, where the stock provider hands out the response.
  const body = asRecord(facts['body']) ?? {};
  const items = asRecords(body['output']);
  for (const item of items) reader.know(item);
  reader.status(body);
  reader.keepBody(facts['body']);
  yield [
    ...reader.take({ type: 'stream-start', warnings }),
    ...reader.take({ type: 'response-metadata', ...facts }),
    ...readContent(asRecords(result['content']), items, reader),
    ...reader.take({ type: 'finish', finishReason, usage, providerMetadata }),
    ...reader.end(),
  ];
}

/** Items that no content tells of keep their place: reasoning is replayed with what followed it. */
function readContent(contents: readonly Part[], items: readonly Part[], reader: StockRound): RoundPart[] {
  const places = placesOf(items);
  let at = 0;
  const keepUpTo = (end: number): RoundPart[] => {
    const kept = items.slice(at, end).flatMap((item) => reader.keep(item));
    at = Math.max(at, end);
    return kept;
  };
  const told = contents.flatMap((content, index) => [
    ...keepUpTo(nextOf(content, places, at) + 1),
    ...partsOfContent(content, index).flatMap((part) => reader.take(part)),
  ]);
  return [...told, ...keepUpTo(items.length)];
}

/** Where the items with an id stand, the first of them last. */
function placesOf(items: readonly Part[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, item] of [...items.entries()].toReversed()) {
    for (const id of [asId(item['id']), asId(item['call_id'])]) {
      if (id === undefined) continue;
      const known = places.get(id);
      if (known === undefined) places.set(id, [at]);
      else known.push(at);
    }
  }
  return places;
}

/** The first item from here on that a content is about; -1 where there is none. */
function nextOf(content: Part, places: ReadonlyMap<string, number[]>, from: number): number {
  const found = [asId(metadataOf(content)['itemId']), asId(content['toolCallId'])].flatMap((id) => {
    const known = (id === undefined ? undefined : places.get(id)) ?? [];
    // What was passed is not looked at again.
    while ((known.at(-1) ?? from) < from) known.pop();
    return known.at(-1) ?? [];
  });
  return found.length === 0 ? -1 : Math.min(...found);
}

function partsOfContent(content: Part, index: number): Part[] {
  const { type, text, providerMetadata } = content;
  if (type === 'tool-call' && content['providerExecuted'] !== true) {
    // Announced where it stands, as in a stream, so that the result keeps it there.
    const { toolCallId: callId, toolName, input } = content;
    return [
      { type: 'tool-input-start', id: callId, toolName },
      { type: 'tool-input-delta', id: callId, delta: input },
      { type: 'tool-input-end', id: callId },
      content,
    ];
  }
  if (type !== 'text' && type !== 'reasoning') return [content];
  const id = `${index}`;
  return [
    { type: `${type}-start`, id, providerMetadata },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, providerMetadata },
  ];
}
