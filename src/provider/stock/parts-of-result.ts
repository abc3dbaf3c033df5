import type { RoundPart } from '../../core/part.js';
import { asId, asRecord, asRecords } from '../../util/guards.js';
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
  const untold = [...items];
  const keep = (count: number): RoundPart[] => untold.splice(0, count).flatMap((item) => reader.keep(item));
  const told = contents.flatMap((content, index) => [
    ...keep(untold.findIndex((item) => isOf(content, item)) + 1),
    ...partsOfContent(content, index).flatMap((part) => reader.take(part)),
  ]);
  return [...told, ...keep(untold.length)];
}

function isOf(content: Part, item: Part): boolean {
  const ids = [asId(metadataOf(content)['itemId']), asId(content['toolCallId'])];
  return [asId(item['id']), asId(item['call_id'])].some((id) => id !== undefined && ids.includes(id));
}

function partsOfContent(content: Part, index: number): Part[] {
  const { type, text, providerMetadata } = content;
  if (type !== 'text' && type !== 'reasoning') return [content];
  const id = `${index}`;
  return [
    { type: `${type}-start`, id, providerMetadata },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, providerMetadata },
  ];
}
