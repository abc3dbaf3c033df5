import type { Model } from './model.js';
import { errorFacts, type Facts, factsOf, metadataOf } from './facts.js';

type Part = Readonly<Record<string, unknown>>;

/** A stream, read to its end. */
export async function observeStream(model: Model, options: object): Promise<Facts> {
  const parts: Part[] = [];
  let breaks: unknown;
  try {
    const { stream } = await model.doStream(options);
    breaks = await readInto(parts, stream);
  } catch (error) {
    return { rejects: errorFacts(error) };
  }
  const of = (type: string): Part => parts.find((part) => part['type'] === type) ?? {};
  return {
    ...factsOf({
      parts,
      finish: of('finish'),
      response: of('response-metadata'),
      warnings: of('stream-start')['warnings'],
    }),
    ...spokenFacts(parts),
    inputs: inputsOf(parts),
    order: orderOf(parts),
    breaks,
  };
}

/** The error that broke the stream, if one did: not the same as a part that tells one. */
async function readInto(parts: Part[], stream: ReadableStream<Part>): Promise<unknown> {
  try {
    for await (const part of stream) parts.push(part);
    return undefined;
  } catch (error) {
    return errorFacts(error);
  }
}

/** The same answer, without streaming. */
export async function observeGenerate(model: Model, options: object): Promise<Facts> {
  try {
    const { content, response, warnings, ...finish } = await model.doGenerate(options);
    return {
      ...factsOf({ parts: content, finish, response: response ?? {}, warnings }),
      text: content.filter(({ type }) => type === 'text').map(wholeFacts),
      reasoning: content.filter(({ type }) => type === 'reasoning').map(wholeFacts),
      order: content.map(({ type }) => type).join(' '),
      structuredOutputText: finish['structuredOutputText'],
    };
  } catch (error) {
    return { rejects: errorFacts(error) };
  }
}

function wholeFacts(part: Part): Facts {
  return { text: part['text'], metadata: metadataOf(part), citations: part['citations'] };
}

function spokenFacts(parts: readonly Part[]): Facts {
  return { text: spoken(parts, 'text'), reasoning: spoken(parts, 'reasoning') };
}

/** Each part of a kind: its deltas, and what its end says over what its start said. */
function spoken(parts: readonly Part[], kind: 'text' | 'reasoning'): Facts[] {
  const ids = parts.filter(({ type }) => type === `${kind}-start`).map(({ id }) => id);
  return ids.map((id) => {
    const own = parts.filter((part) => part['id'] === id);
    const of = (type: string): Part => own.find((part) => part['type'] === `${kind}-${type}`) ?? {};
    return {
      deltas: own.filter(({ type }) => type === `${kind}-delta`).map(({ delta }) => delta),
      closed: own.some(({ type }) => type === `${kind}-end`),
      metadata: metadataOf(of('end')) ?? metadataOf(of('start')),
      citations: of('end')['citations'],
    };
  });
}

/** How the arguments of each call were streamed. */
function inputsOf(parts: readonly Part[]): Facts[] {
  const starts = parts.filter(({ type }) => type === 'tool-input-start');
  return starts.map(({ id, toolName, providerExecuted }) => ({
    id,
    toolName,
    providerExecuted: providerExecuted === true,
    deltas: parts.filter((part) => part['type'] === 'tool-input-delta' && part['id'] === id).map(({ delta }) => delta),
    closed: parts.some((part) => part['type'] === 'tool-input-end' && part['id'] === id),
  }));
}

/** The kinds of parts in their order; several deltas of one kind in a row are one. */
function orderOf(parts: readonly Part[]): string {
  const kinds = parts.map(({ type }) => String(type));
  return kinds.filter((kind, at) => !(kind.endsWith('-delta') && kinds[at - 1] === kind)).join(' ');
}
