import type { RoundPart, RoundResult, SourcePart } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { mapIncompleteReason } from '../stream/response-facts.js';
import { type BrokenOff, Reducer } from '../stream/reduce-events.js';
import { CALL_KINDS } from '../items/kinds.js';
import { readSource } from '../sdk/prompt/read-file.js';
import { defined } from '../util/defined.js';
import { asArray, asId, asRecord, asString, rowOf } from '../util/guards.js';
import { hideSealed, type StockErrorPlace, toStockError, truncated } from './errors.js';
import { endingOf, metadataOf, type Part, readFinish, responseOf, type StockFinish } from './part-facts.js';
import { isSpoken, SpokenEvents, WireItems } from './spoken-events.js';

export interface RoundReaderOptions {
  readonly ids: RoundIds;
  readonly includeRaw: boolean;
  readonly place: StockErrorPlace;
}

/**
 * One answer of the stock provider. Its parts become events of the wire, and the reducer of our own answers makes round
 * parts of them: what holds for every round holds for these too. Only the wire has the items of tools that are no
 * functions: their events reach the reducer as they came, and the stock provider's parts for them are passed over.
 */
export class RoundReader {
  readonly #options: RoundReaderOptions;
  readonly #reducer: Reducer;
  readonly #items = new WireItems();
  readonly #spoken: SpokenEvents;
  readonly #cited = new Set<string>();
  #responseId: string | undefined;
  #warnings: string[] = [];
  #finish: Part | undefined;
  #body: unknown;
  #error: Error | undefined;
  /** The server's own word for an end before the end: V2 has no place for it, and a call may hide it. */
  #incomplete: ReturnType<typeof mapIncompleteReason> | undefined;

  constructor(options: RoundReaderOptions) {
    this.#options = options;
    const clean = (text: string): string => options.place.redactor.text(text);
    this.#reducer = new Reducer(options.ids, { url: 'the stock provider', clean });
    this.#spoken = new SpokenEvents(this.#items, (event) => this.#reducer.reduce(event));
  }

  take(part: Part): void {
    const type = String(part['type']);
    if (!CONTINUING.has(type)) this.#spoken.endThoughts();
    (rowOf(this.#spoken.readers, type) ?? rowOf(this.#readers, type))?.(part);
  }

  /** The parts of what was taken since it was last asked. */
  takeBatch(): RoundPart[] {
    return this.#reducer.takeBatch().filter((part) => part.type !== 'source' || this.#isNew(part));
  }

  /** Closes what is open. `broken`: why no more will come. */
  end(broken?: BrokenOff): RoundPart[] {
    this.#spoken.close();
    // Whether the response was completed is said below: here it only closes what is open.
    const response = { id: this.#responseId, ...responseOf(this.#finish ?? {}) };
    this.#reducer.reduce({ type: 'response.incomplete', response });
    return this.takeBatch().map((part) =>
      part.type === 'round-end' ? { ...part, result: this.#result(part.result, broken) } : part,
    );
  }

  /** The response of an answer that was not streamed, with the items it was made of. */
  knowBody(body: unknown): void {
    const response = asRecord(body) ?? {};
    this.#body = body;
    if (response['status'] === 'incomplete') this.#incomplete = mapIncompleteReason(response);
    asArray(response['output']).forEach((item, place) => this.#items.note(asRecord(item) ?? {}, place));
  }

  /** An item of it: what the stock provider's parts hold is passed over. */
  takeItem(item: Part, place: number): void {
    if (!isSpoken(item)) this.#passOn({ type: 'response.output_item.done', output_index: place, item });
  }

  readonly #readers: Readonly<Record<string, (part: Part) => void>> = {
    'stream-start': ({ warnings }) => {
      this.#warnings = asArray(warnings).map(toWarning);
    },
    'response-metadata': ({ id, modelId: model, timestamp }) => {
      this.#responseId ??= asId(id);
      const createdAt = timestamp instanceof Date ? timestamp.getTime() / 1_000 : undefined;
      this.#reducer.reduce({ type: 'response.created', response: { id, model, created_at: createdAt } });
    },
    'tool-result': ({ toolName, preliminary }) => {
      // With the wire at hand its item was taken already.
      if (!this.#items.isEmpty || preliminary === true) return;
      this.#warnings.push(
        `The stock provider ran ${String(toolName)}, and its result cannot be sent back; it was left out.`,
      );
    },
    source: (part) => this.#reducer.pass(this.#source(part)),
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

  /** An event of the wire. Some that end a response the stock provider passes over. */
  #raw(value: unknown): void {
    if (this.#options.includeRaw) this.#reducer.pass({ type: 'raw', event: value });
    const event = asRecord(value) ?? {};
    const type = asString(event['type']) ?? '';
    const item = asRecord(event['item']);
    if (item !== undefined) this.#items.note(item, event['output_index']);
    if (item === undefined ? PROGRESS.has(type) : !isSpoken(item)) this.#passOn({ ...event, type });
    rowOf(this.#rawReaders, type)?.(event);
  }

  readonly #rawReaders: Readonly<Record<string, (event: Part) => void>> = {
    'response.failed': (event) => this.#fail(event),
    error: (event) => this.#fail(event),
    'response.incomplete': ({ response }) => {
      this.#incomplete = mapIncompleteReason(asRecord(response) ?? {});
    },
    'response.output_text.annotation.added': (event) => this.#spoken.cite(event),
  };

  #fail(failure: unknown): void {
    this.#error ??= toStockError(failure, this.#options.place);
  }

  #passOn(event: Parameters<Reducer['reduce']>[0]): void {
    this.#spoken.endThoughts();
    this.#reducer.reduce(event);
  }

  #source(part: Part): SourcePart {
    const id = this.#options.ids.partId(this.#responseId, `source${this.#cited.size}`);
    const title = asString(part['title']);
    if (part['sourceType'] === 'url')
      return { type: 'source', kind: 'url', id, url: String(part['url']), ...defined({ title }) };
    const { fileId, containerId } = metadataOf(part);
    const facts = { filename: asString(part['filename']), fileId: asId(fileId), containerId: asId(containerId) };
    return { type: 'source', kind: 'document', id, title: title ?? 'Document', ...defined(facts) };
  }

  /** What a text refers to is in its metadata, and a part of its own. */
  #isNew(source: SourcePart): boolean {
    const name = source.kind === 'url' ? source.url : `${source.fileId ?? ''}:${source.filename ?? source.title}`;
    const isNew = !this.#cited.has(name);
    this.#cited.add(name);
    return isNew;
  }

  #result(reduced: RoundResult, broken: BrokenOff | undefined): RoundResult {
    const { content, answeredCallIds, responseId, responseFacts } = reduced;
    const finish = readFinish(this.#finish ?? {});
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
    return { ...facts, ...endingOf(finish, { calls, refused: this.#spoken.refused }) };
  }

  #failureOf(finish: StockFinish): BrokenOff | undefined {
    const { place } = this.#options;
    if (this.#error !== undefined) return { outcome: 'failed', error: this.#error };
    if (finish.isTruncated) return { outcome: 'truncated', error: truncated(place.round) };
    // The stock provider says so, and not why.
    return finish.finishReason === 'error'
      ? { outcome: 'truncated', error: toStockError(undefined, place) }
      : undefined;
  }
}

/** Parts behind which a reasoning item may go on. */
const CONTINUING: ReadonlySet<string> = new Set([
  'reasoning-start',
  'reasoning-delta',
  'reasoning-end',
  'raw',
  'response-metadata',
]);

/** What comes of an item before it is whole. */
const PROGRESS: ReadonlySet<string> = new Set([
  'response.image_generation_call.partial_image',
  ...CALL_KINDS.flatMap(({ streaming }) => streaming?.event ?? []),
]);

/** `{message}` in every version; older ones name a setting, newer ones a feature. */
function toWarning(warning: unknown): string {
  const { type, message, setting, feature, details } = asRecord(warning) ?? {};
  const name = asString(setting) ?? asString(feature);
  const what = asString(message) ?? (name === undefined ? String(type) : `The stock provider does not take "${name}".`);
  // Some repeat the part that they are about.
  return hideSealed(typeof details === 'string' ? `${what} (${details})` : what);
}
