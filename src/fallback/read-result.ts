import type { RoundPart } from '../core/part.js';
import { asId, asRecord, asRecords } from '../util/guards.js';
import { metadataOf, type Part } from './part-facts.js';
import type { RoundReader } from './read-round.js';

/** A generate result, read as the stream it would have been. */
export function readResult(result: Part, reader: RoundReader): RoundPart[] {
  const { warnings, response, finishReason, usage, providerMetadata } = result;
  const facts = asRecord(response) ?? {};
  reader.knowBody(facts['body']);
  reader.take({ type: 'stream-start', warnings });
  reader.take({ type: 'response-metadata', ...facts });
  readContent(asRecords(result['content']), asRecords(asRecord(facts['body'])?.['output']), reader);
  reader.take({ type: 'finish', finishReason, usage, providerMetadata });
  return reader.end();
}

/** Items that are in no content keep their place: reasoning is replayed with what followed it. */
function readContent(contents: readonly Part[], items: readonly Part[], reader: RoundReader): void {
  const places = new Map(
    items.flatMap((item, place) => [item['id'], item['call_id']].map((id) => [asId(id), place] as const)).toReversed(),
  );
  let next = 0;
  const takeItems = (end: number): void => {
    for (; next < end; next += 1) reader.takeItem(items[next] ?? {}, next);
  };
  for (const [index, content] of contents.entries()) {
    const callId = asId(content['toolCallId']);
    const id = asId(metadataOf(content)['itemId']) ?? callId;
    const place = id === undefined ? undefined : (places.get(id) ?? places.get(callId));
    takeItems((place ?? -1) + 1);
    for (const part of partsOf(content, index)) reader.take(part);
  }
  takeItems(items.length);
}

function partsOf(content: Part, index: number): Part[] {
  const { type, text, providerMetadata, toolCallId, toolName } = content;
  // Announced where it stands, as in a stream.
  if (type === 'tool-call') return [{ ...content, type: 'tool-input-start', id: toolCallId, toolName }, content];
  if (type !== 'text' && type !== 'reasoning') return [content];
  const id = asId(metadataOf(content)['itemId']) ?? `${index}`;
  return [
    { type: `${type}-start`, id, providerMetadata },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, providerMetadata },
  ];
}
