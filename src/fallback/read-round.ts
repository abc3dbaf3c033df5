import type { CleanError } from '../core/clean-text.js';
import type { RoundPart, RoundResult, Source } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { mapIncompleteReason } from '../stream/response-facts.js';
import { type BrokenOff, Reducer } from '../stream/reduce-events.js';
import { CALL_KINDS } from '../items/kinds.js';
import { readSource } from '../sdk/prompt/read-file.js';
import { defined } from '../util/defined.js';
import { asArray, asId, asRecord, asRecords, asString, rowOf } from '../util/guards.js';
import { AnswerItems, isSpoken } from './answer-items.js';
import { hideSealed, placeOf, type StockErrorPlace, toStockError, truncated } from './errors.js';
import { endingOf, metadataOf, type Part, readFinish, responseOf, type StockFinish } from './part-facts.js';

export interface RoundReaderOptions {
  readonly ids: RoundIds;
  readonly includeRaw: boolean;
  readonly place: StockErrorPlace;
}

/**
 * Converts one answer of the stock model to round parts. Its parts contain texts, reasoning and function calls. Items
 * of other tools exist only in its raw chunks, so the reducer reads them like a server's events.
 */
export class RoundReader {
  readonly #options: RoundReaderOptions;
  readonly #reducer: Reducer;
  readonly #items: AnswerItems;
  #responseId: string | undefined;
  #warnings: string[] = [];
  #finish: Part = {};
  #body: unknown;
  #error: CleanError | undefined;
  /** The server's reason for an early end. V2 has no place for it, and a call may hide it. */
  #incomplete: ReturnType<typeof mapIncompleteReason> | undefined;

  constructor(options: RoundReaderOptions) {
    this.#options = options;
    this.#reducer = new Reducer(options.ids, placeOf(options.place));
    this.#items = new AnswerItems(this.#reducer);
  }

  take(part: Part): void {
    const type = String(part['type']);
    if (!CONTINUING.has(type)) this.#items.endThoughts();
    (rowOf(this.#items.readers, type) ?? rowOf(this.#readers, type))?.(part);
  }

  /** Returns the round parts made since the last call. */
  takeBatch(): readonly RoundPart[] {
    return this.#reducer.takeBatch();
  }

  /** Closes what is open. `broken`: why the stream stopped. */
  end(broken?: BrokenOff): RoundPart[] {
    this.#items.close();
    this.#reducer.close({ id: this.#responseId, ...responseOf(this.#finish) });
    return this.takeBatch().map((part) =>
      part.type === 'round-end' ? { ...part, result: this.#result(part.result, broken) } : part,
    );
  }

  /** Reads a generate result as the stream it would have been. */
  readWhole(result: Part): RoundPart[] {
    const { warnings, response, finishReason, usage, providerMetadata } = result;
    const facts = asRecord(response) ?? {};
    const body = asRecord(facts['body']) ?? {};
    this.#body = facts['body'];
    if (body['status'] === 'incomplete') this.#incomplete = mapIncompleteReason(body);
    asArray(body['output']).forEach((item, place) => this.#items.note(asRecord(item) ?? {}, place));
    this.take({ type: 'stream-start', warnings });
    this.take({ type: 'response-metadata', ...facts });
    this.#readContent(asRecords(result['content']), asRecords(body['output']));
    this.take({ type: 'finish', finishReason, usage, providerMetadata });
    return this.end();
  }

  /** Items without content keep their place: reasoning is replayed with the item behind it. */
  #readContent(contents: readonly Part[], items: readonly Part[]): void {
    const ids = items.flatMap((item, place) => [item['id'], item['call_id']].map((id) => [asId(id), place] as const));
    const places = new Map(ids.toReversed());
    let next = 0;
    const takeItems = (end: number): void => {
      for (; next < end; next += 1) {
        const item = items[next] ?? {};
        if (!isSpoken(item)) this.#passOn({ type: 'response.output_item.done', output_index: next, item });
      }
    };
    for (const [index, content] of contents.entries()) {
      const callId = asId(content['toolCallId']);
      const id = asId(metadataOf(content)['itemId']) ?? callId;
      takeItems((id === undefined ? -1 : (places.get(id) ?? places.get(callId) ?? -1)) + 1);
      for (const part of partsOf(content, index)) this.take(part);
    }
    takeItems(items.length);
  }

  readonly #readers: Readonly<Record<string, (part: Part) => void>> = {
    'stream-start': ({ warnings }) => {
      this.#warnings = asArray(warnings).map(toWarning);
    },
    'response-metadata': ({ id, modelId: model, timestamp }) => {
      this.#responseId ??= asId(id);
      const createdAt = timestamp instanceof Date ? timestamp.getTime() / 1_000 : undefined;
      this.#reducer.announce({ id, model, created_at: createdAt });
    },
    'tool-result': ({ toolName, preliminary }) => {
      // The reducer has the result from its item if there are raw chunks.
      if (this.#items.hasWire || preliminary === true) return;
      this.#warnings.push(`The stock provider ran ${String(toolName)}; its result cannot be sent back.`);
    },
    source: (part) => this.#reducer.cite(sourceOf(part)),
    file: ({ data, mediaType }) => {
      const source = readSource(data);
      if (source?.type === 'data')
        this.#reducer.pass({ type: 'file', mediaType: String(mediaType), base64: source.base64 });
    },
    raw: ({ rawValue }) => this.#raw(rawValue),
    error: ({ error }) => this.#fail(error),
    finish: (part) => {
      this.#finish = part;
      this.#responseId ??= asId(metadataOf(part)['responseId']);
    },
  };

  /** An event of the wire. The stock provider drops some that end a response. */
  #raw(value: unknown): void {
    if (this.#options.includeRaw) this.#reducer.pass({ type: 'raw', event: value });
    const event = asRecord(value) ?? {};
    const type = asString(event['type']) ?? '';
    const item = asRecord(event['item']);
    if (item !== undefined) this.#items.note(item, event['output_index']);
    if (item === undefined ? PROGRESS.has(type) : !isSpoken(item)) this.#passOn({ ...event, type });
    else if (type === 'response.failed' || type === 'error') this.#fail(event);
    else if (type === 'response.incomplete') this.#incomplete = mapIncompleteReason(asRecord(event['response']) ?? {});
    else if (type === 'response.output_text.annotation.added')
      this.#items.cite(event['item_id'], asRecord(event['annotation']));
  }

  #fail(failure: unknown): void {
    this.#error ??= toStockError(failure, this.#options.place);
  }

  #passOn(event: Parameters<Reducer['reduce']>[0]): void {
    this.#items.endThoughts();
    this.#reducer.reduce(event);
  }

  #result(reduced: RoundResult, broken: BrokenOff | undefined): RoundResult {
    const { content, answeredCallIds, responseId, responseFacts } = reduced;
    const finish = readFinish(this.#finish);
    const facts = {
      content,
      answeredCallIds,
      ...defined({ responseId, responseFacts, logprobs: finish.logprobs }),
      ...(this.#body === undefined ? {} : { readBody: () => this.#body }),
      warnings: [...this.#warnings, ...reduced.warnings],
      usage: finish.usage,
    };
    const failure = broken ?? this.#failureOf(finish);
    if (failure !== undefined) return { ...facts, ...failure, finishReason: 'error' };
    if (this.#incomplete !== undefined) return { ...facts, outcome: 'incomplete', ...this.#incomplete };
    const calls = content.some((entry) => entry.type === 'tool-call');
    return { ...facts, ...endingOf(finish, { calls, refused: this.#items.refused }) };
  }

  #failureOf(finish: StockFinish): BrokenOff | undefined {
    const { place } = this.#options;
    if (this.#error !== undefined) return { outcome: 'failed', error: this.#error };
    if (finish.isTruncated) return { outcome: 'truncated', error: truncated(place.round) };
    // A finish with "error" has no reason.
    return finish.finishReason === 'error'
      ? { outcome: 'truncated', error: toStockError(undefined, place) }
      : undefined;
  }
}

/** Parts behind which a reasoning item may continue. */
const CONTINUING: ReadonlySet<string> = new Set([
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
  'raw',
  'response-metadata',
]);

/** Events of items that are not finished. */
const PROGRESS: ReadonlySet<string> = new Set([
  'response.image_generation_call.partial_image',
  ...CALL_KINDS.flatMap(({ streaming }) => streaming?.event ?? []),
]);

function sourceOf(part: Part): Source {
  const title = asString(part['title']);
  if (part['sourceType'] === 'url') return { kind: 'url', url: String(part['url']), ...defined({ title }) };
  const { fileId, containerId } = metadataOf(part);
  const facts = { filename: asString(part['filename']), fileId: asId(fileId), containerId: asId(containerId) };
  return { kind: 'document', title: title ?? 'Document', ...defined(facts) };
}

/** A content as parts of a stream. */
function partsOf(content: Part, index: number): Part[] {
  const { type, text, providerMetadata, toolCallId, toolName } = content;
  if (type === 'tool-call') return [{ ...content, type: 'tool-input-start', id: toolCallId, toolName }, content];
  if (type !== 'text' && type !== 'reasoning') return [content];
  const id = asId(metadataOf(content)['itemId']) ?? `${index}`;
  return [
    { type: `${type}-start`, id, providerMetadata },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, providerMetadata },
  ];
}

/** V2 and V3 name a setting, V4 a feature. `message` exists in all of them. */
function toWarning(warning: unknown): string {
  const { type, message, setting, feature, details } = asRecord(warning) ?? {};
  const name = asString(setting) ?? asString(feature);
  const what = asString(message) ?? (name === undefined ? String(type) : `The stock provider does not take "${name}".`);
  // A warning may repeat the part that it is about.
  return hideSealed(typeof details === 'string' ? `${what} (${details})` : what);
}
