import type { Call } from '../core/call.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import { serverItem } from '../core/call-items.js';
import type { AssistantContent } from '../core/message.js';
import type { ResponseFacts, RoundPart, RoundResult } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { mapIncompleteReason } from '../stream/response-facts.js';
import { defined } from '../util/defined.js';
import { asArray, asId, asRecord, asString } from '../util/guards.js';
import { readSource } from '../sdk/prompt/read-file.js';
import { factsOfFinish, readFinish, type StockFinish } from './read-finish.js';
import { StockCalls } from './stock-calls.js';
import { hideSealed } from './stock-errors.js';
import { StockHosted } from './stock-hosted.js';
import { metadataOf, sealOf, StockAgents } from './stock-metadata.js';
import { StockReasoning, toReasoningContent } from './stock-reasoning.js';
import { StockTexts } from './stock-texts.js';

type Part = Readonly<Record<string, unknown>>;

export interface StockRoundOptions {
  readonly ids: RoundIds;
  readonly call: Call;
  /** What a failure the stock provider tells of is to us. */
  readonly toError: (failure: unknown) => Error;
  /** The stream ended, and the answer had not. */
  readonly truncated: () => Error;
}

/** One answer of the stock provider, part by part, in the words of the loop. */
export class StockRound {
  readonly #options: StockRoundOptions;
  readonly #reasoning = new StockReasoning();
  #responseId: string | undefined;
  #slots = 0;
  /** What the next request replays, in the order it came; texts and reasoning grow until the end. */
  readonly #content: (() => AssistantContent)[] = [];
  readonly #agents = new StockAgents();
  readonly #texts = new StockTexts({
    agents: this.#agents,
    newPartId: () => this.#partId(),
    place: (read) => this.#content.push(read),
  });
  readonly #calls = new StockCalls((stockId) => this.#claim(stockId));
  readonly #hosted: StockHosted;
  #warnings: string[] = [];
  #finish: StockFinish | undefined;
  #facts: ResponseFacts = {};
  #body: unknown;
  #logprobs: readonly JsonValue[] | undefined;
  #error: Error | undefined;
  /** The server's own word for an end before the end: V2 has no place for it, and a call may hide it. */
  #incomplete: ReturnType<typeof mapIncompleteReason> | undefined;

  constructor(options: StockRoundOptions) {
    this.#options = options;
    this.#hosted = new StockHosted({
      call: options.call,
      claim: (stockId) => this.#claim(stockId),
      replay: (item) => this.#content.push(this.#calls.answer(item)),
    });
  }

  take(part: Part): RoundPart[] {
    const type = String(part['type']);
    const read = Object.hasOwn(this.#readers, type) ? this.#readers[type] : undefined;
    if (read === undefined) return [];
    const settled = REASONING.has(type) || SILENT.has(type) ? [] : this.#reasoning.settle();
    return [...settled, ...read(part)];
  }

  /** Closes what is open. `broken`: why no more will come. */
  end(broken?: { readonly outcome: 'reset' | 'failed'; readonly error: Error }): RoundPart[] {
    const endings = [...this.#reasoning.close(), ...this.#texts.close(), ...this.#calls.close()];
    const left = broken === undefined ? this.#hosted.end() : [];
    return [...endings, ...left, { type: 'round-end', result: this.#result(broken) }];
  }

  #result(broken: { readonly outcome: 'reset' | 'failed'; readonly error: Error } | undefined): RoundResult {
    const finish = this.#finish;
    const failure = broken?.error ?? this.#failure();
    const facts = {
      ...defined({ responseId: this.#responseId, logprobs: this.#logprobs }),
      responseFacts: this.#facts,
      ...(this.#body === undefined ? {} : { readBody: () => this.#body }),
      content: this.#calls.inOrder(this.#content.map((read) => read())),
      answeredCallIds: this.#calls.answeredCallIds,
      warnings: this.#warnings,
      usage: finish?.usage ?? {},
    };
    if (failure !== undefined) {
      const outcome = broken?.outcome ?? (this.#error === undefined ? 'truncated' : 'failed');
      return { ...facts, outcome, finishReason: 'error', error: failure };
    }
    return { ...facts, ...this.#ending(finish as StockFinish) };
  }

  #ending({
    finishReason,
    rawFinishReason,
    isUnknown,
  }: StockFinish): Pick<RoundResult, 'outcome' | 'finishReason' | 'rawFinishReason'> {
    if (this.#incomplete !== undefined) return { outcome: 'incomplete', ...this.#incomplete };
    // Some never say why they end; whole calls say it.
    if (isUnknown && this.#calls.hasAny) return { outcome: 'completed', finishReason: 'tool-calls' };
    const outcome = OUTCOMES[finishReason] ?? 'completed';
    const isRefusal = finishReason === 'stop' && this.#texts.refused;
    return { outcome, finishReason: isRefusal ? 'content-filter' : finishReason, ...defined({ rawFinishReason }) };
  }

  #failure(): Error | undefined {
    if (this.#error !== undefined) return this.#error;
    if (this.#finish === undefined || this.#finish.isTruncated) return this.#options.truncated();
    return this.#finish.finishReason === 'error' ? this.#options.toError(undefined) : undefined;
  }

  readonly #readers: Readonly<Record<string, (part: Part) => RoundPart[]>> = {
    'stream-start': (part) => {
      this.#warnings = asArray(part['warnings']).map(toWarning);
      return [];
    },
    'response-metadata': ({ id, modelId, timestamp }) => {
      this.#responseId ??= asId(id);
      const createdAt = timestamp instanceof Date ? timestamp.getTime() / 1_000 : undefined;
      return [{ type: 'response', ...defined({ responseId: asId(id), model: asString(modelId), createdAt }) }];
    },
    'text-start': (part) => this.#texts.start(part),
    'text-delta': (part) => this.#texts.delta(part),
    'text-end': (part) => this.#texts.end(part),
    'reasoning-start': (part) => this.#reasoningStart(part),
    'reasoning-delta': ({ id, delta }) => {
      const begun = this.#reasoning.isOpen(String(id)) || delta === '' ? [] : this.#reasoningStart({ id });
      return [...begun, ...this.#reasoning.delta(String(id), asString(delta) ?? '')];
    },
    'reasoning-end': (part) => this.#reasoning.end(String(part['id']), sealOf(part).encrypted),
    source: (part) => this.#source(part),
    file: (part) => {
      const source = readSource(part['data']);
      if (source?.type !== 'data') return [];
      return [{ type: 'file', mediaType: String(part['mediaType']), base64: source.base64 }];
    },
    'tool-input-start': (part) => (part['providerExecuted'] === true ? [] : this.#calls.inputStart(part)),
    'tool-input-delta': (part) => this.#calls.inputDelta(part),
    'tool-input-end': (part) => this.#calls.inputEnd(part),
    'tool-call': (part) => this.#toolCall(part),
    'tool-result': (part) => this.#hosted.result(part) ?? this.#loseResult(part),
    raw: ({ rawValue }) => this.#raw(rawValue),
    error: ({ error }) => {
      this.#error ??= this.#options.toError(error);
      return [];
    },
    finish: (part) => {
      const { responseId, logprobs } = metadataOf(part);
      this.#finish = readFinish(part);
      this.#responseId ??= asId(responseId);
      this.#facts = factsOfFinish(part);
      this.#logprobs = Array.isArray(logprobs) ? (logprobs as JsonValue[]) : undefined;
      return [];
    },
  };

  #reasoningStart(part: Part): RoundPart[] {
    const earlier = this.#reasoning.latest;
    const parts = this.#reasoning.start(String(part['id']), this.#partId(), {
      ...sealOf(part),
      ...this.#agents.of(part),
    });
    const item = this.#reasoning.latest;
    if (item !== undefined && item !== earlier) this.#content.push(() => toReasoningContent(item));
    return parts;
  }

  #source(part: Part): RoundPart[] {
    const id = this.#partId();
    const title = asString(part['title']);
    if (part['sourceType'] === 'url')
      return [{ type: 'source', kind: 'url', id, url: String(part['url']), ...defined({ title }) }];
    const { fileId, containerId } = metadataOf(part);
    const facts = { filename: asString(part['filename']), fileId: asId(fileId), containerId: asId(containerId) };
    return [{ type: 'source', kind: 'document', id, title: title ?? 'Document', ...defined(facts) }];
  }

  /** A call that is no function call is the caller's, as an item. */
  #toolCall(part: Part): RoundPart[] {
    if (part['providerExecuted'] === true) return this.#hosted.called(part);
    const { call, parts } = this.#calls.call(part, this.#hosted.itemOf(String(part['toolCallId'])));
    if (call !== undefined) this.#content.push(() => call);
    return parts;
  }

  #loseResult({ toolName }: Part): RoundPart[] {
    this.#warnings.push(`The stock provider told of ${String(toolName)} what cannot be sent back; it was left out.`);
    return [];
  }

  #raw(value: unknown): RoundPart[] {
    const event = asRecord(value) ?? {};
    const { type } = event;
    this.#calls.note(event);
    this.#agents.note(event['item']);
    if (type === 'response.refusal.done') this.#texts.refuse(event);
    // Some of these the stock provider passes over.
    if (type === 'response.failed' || type === 'error') this.#error ??= this.#options.toError(event);
    if (type === 'response.incomplete') this.status({ ...asRecord(event['response']), status: 'incomplete' });
    const kept = type === 'response.output_item.done' ? this.keep(event['item']) : [];
    return [...(this.#options.call.includeRaw ? [{ type: 'raw', event: value } as const] : []), ...kept];
  }

  /** The response of an answer that was not streamed. */
  keepBody(body: unknown): void {
    this.#body = body;
  }

  /** The response as the server has it at its end. */
  status(response: Part): void {
    if (response['status'] === 'incomplete') this.#incomplete = mapIncompleteReason(response);
  }

  /** An item as it came: what the stock provider tells of it waits for its part, the rest is only replayed. */
  keep(value: unknown): RoundPart[] {
    const json = asRecord(value);
    // It came out of a JSON text, in a response.
    const item = json === undefined ? undefined : serverItem(json as JsonObject);
    if (item === undefined || SPOKEN.has(asString(item['type']) ?? 'message') || this.know(item)) return [];
    return this.#hosted.holds(item) ? [] : this.#hosted.show(item);
  }

  /** An item that the stock provider's parts tell of: they need it whole. */
  know(value: Part): boolean {
    const item = serverItem(value as JsonObject);
    this.#calls.note({ item });
    this.#agents.note(item);
    return this.#hosted.know(item);
  }

  #partId(): string {
    this.#slots += 1;
    return this.#options.ids.partId(this.#responseId, `${this.#slots - 1}`);
  }

  #claim(stockId: unknown): string {
    this.#slots += 1;
    return this.#options.ids.claimCallId(asId(stockId), this.#responseId, `${this.#slots - 1}`);
  }
}

const OUTCOMES: Readonly<Record<string, RoundResult['outcome']>> = {
  length: 'incomplete',
  'content-filter': 'incomplete',
  other: 'incomplete',
  error: 'failed',
};

const REASONING: ReadonlySet<string> = new Set(['reasoning-start', 'reasoning-delta', 'reasoning-end']);

/** They say nothing of what comes next. */
const SILENT: ReadonlySet<string> = new Set(['raw', 'response-metadata']);

/** Items that the stock provider's parts tell whole. */
const SPOKEN: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call']);

/** `{message}` in every version; older ones name a setting, newer ones a feature. */
function toWarning(warning: unknown): string {
  const { type, message, setting, feature, details } = asRecord(warning) ?? {};
  const name = asString(setting) ?? asString(feature);
  const what = asString(message) ?? (name === undefined ? String(type) : `The stock provider does not take "${name}".`);
  // Some repeat the part that they are about.
  return hideSealed(typeof details === 'string' ? `${what} (${details})` : what);
}
