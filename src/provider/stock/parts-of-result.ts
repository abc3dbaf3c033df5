import { asRecord, asRecords } from '../../util/guards.js';

type Part = Readonly<Record<string, unknown>>;

/** A generate result as the stream it would have been. */
export function partsOfResult(result: Part): Part[] {
  const { warnings, response, finishReason, usage, providerMetadata } = result;
  const facts = asRecord(response) ?? {};
  return [
    { type: 'stream-start', warnings },
    { type: 'response-metadata', ...facts },
    ...asRecords(result['content']).flatMap(partsOfContent),
    { type: 'finish', finishReason, usage, providerMetadata },
  ];
}

/** The items a generate result was made of, where the stock provider hands out the response. */
export function itemsOfResult(result: Part): Part[] {
  return asRecords(asRecord(asRecord(result['response'])?.['body'])?.['output']);
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
