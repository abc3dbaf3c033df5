import type { Call } from '../../core/call.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { AssistantContent } from '../../core/message.js';
import type { RoundPart, RoundResult } from '../../core/part.js';
import type { RoundIds } from '../../core/round.js';
import { hostedName } from '../../loop/tool-ownership.js';
import { CLIENT_CALLS, HOSTED, imageOf } from '../../stream/handlers/hosted-items.js';
import { mapIncompleteReason } from '../../stream/map-finish-reason.js';
import { defined } from '../../util/defined.js';
import { asArray, asId, asRecord, asString } from '../../util/guards.js';
import { readSource } from '../read-file.js';
import { readFinish, type StockFinish } from './read-finish.js';
import { metadataOf, sealOf, textFacts } from './stock-metadata.js';
import { StockReasoning, toReasoningContent } from './stock-reasoning.js';

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
  readonly #texts = new Map<string, { readonly partId: string; text: string; facts: Part }>();
  /** Call ids of inputs that are being streamed, by the stock provider's id. */
  readonly #inputs = new Map<string, string>();
  readonly #callIds = new Map<string, string>();
  /** What the server's own tools were asked. */
  readonly #hostedInputs = new Map<string, string>();
  /** Items of tools that are no functions, by their ids: only the wire has them whole. */
  readonly #items = new Map<string, JsonObject>();
  #warnings: string[] = [];
  #finish: StockFinish | undefined;
  #serviceTier: string | undefined;
  #logprobs: readonly JsonValue[] | undefined;
  #error: Error | undefined;
  /** The server's own word for an end before the end, which V2 has no place for. */
  #incomplete: string | undefined;

  constructor(options: StockRoundOptions) {
    this.#options = options;
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
    const result = this.#result(broken);
    return [
      ...this.#reasoning.close(),
      ...[...this.#texts.values()].map(({ partId }): RoundPart => ({ type: 'text-end', id: partId })),
      ...[...this.#inputs.values()].map((callId): RoundPart => ({ type: 'tool-input-end', callId })),
      { type: 'round-end', result },
    ];
  }

  #result(broken: { readonly outcome: 'reset' | 'failed'; readonly error: Error } | undefined): RoundResult {
    const finish = this.#finish;
    const failure = broken?.error ?? this.#failure();
    const facts = {
      ...defined({ responseId: this.#responseId, serviceTier: this.#serviceTier, logprobs: this.#logprobs }),
      content: this.#content.map((read) => read()),
      answeredCallIds: [],
      warnings: this.#warnings,
      usage: finish?.usage ?? {},
    };
    if (failure !== undefined) {
      const outcome = broken?.outcome ?? (this.#error === undefined ? 'truncated' : 'failed');
      return { ...facts, outcome, finishReason: 'error', error: failure };
    }
    const { finishReason, rawFinishReason = this.#incomplete } = finish as StockFinish;
    return { ...facts, outcome: OUTCOMES[finishReason] ?? 'completed', finishReason, ...defined({ rawFinishReason }) };
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
    'text-start': (part) => this.#textStart(part),
    'text-delta': ({ id, delta }) => {
      const text = this.#texts.get(String(id));
      if (text === undefined || typeof delta !== 'string' || delta === '') return [];
      text.text += delta;
      return [{ type: 'text-delta', id: text.partId, delta }];
    },
    'text-end': (part) => this.#textEnd(part),
    'reasoning-start': (part) => {
      const earlier = this.#reasoning.latest;
      const parts = this.#reasoning.start(String(part['id']), this.#partId(), sealOf(part));
      const item = this.#reasoning.latest;
      if (item !== undefined && item !== earlier) this.#content.push(() => toReasoningContent(item));
      return parts;
    },
    'reasoning-delta': ({ id, delta }) => this.#reasoning.delta(String(id), asString(delta) ?? ''),
    'reasoning-end': (part) => this.#reasoning.end(String(part['id']), sealOf(part).encrypted),
    source: (part) => this.#source(part),
    file: (part) => {
      const source = readSource(part['data']);
      if (source?.type !== 'data') return [];
      return [{ type: 'file', mediaType: String(part['mediaType']), base64: source.base64 }];
    },
    'tool-input-start': (part) => {
      if (part['providerExecuted'] === true) return [];
      const callId = this.#claim(part['id']);
      this.#inputs.set(String(part['id']), callId);
      this.#callIds.set(String(part['id']), callId);
      return [{ type: 'tool-input-start', callId, name: String(part['toolName']) }];
    },
    'tool-input-delta': ({ id, delta }) => {
      const callId = this.#inputs.get(String(id));
      return callId === undefined ? [] : [{ type: 'tool-input-delta', callId, delta: asString(delta) ?? '' }];
    },
    'tool-input-end': ({ id }) => {
      const callId = this.#inputs.get(String(id));
      this.#inputs.delete(String(id));
      return callId === undefined ? [] : [{ type: 'tool-input-end', callId }];
    },
    'tool-call': (part) => this.#toolCall(part),
    'tool-result': (part) => this.#hosted(part),
    raw: ({ rawValue }) => this.#raw(asRecord(rawValue) ?? {}),
    error: ({ error }) => {
      this.#error ??= this.#options.toError(error);
      return [];
    },
    finish: (part) => {
      const { responseId, serviceTier, logprobs } = metadataOf(part);
      this.#finish = readFinish(part);
      this.#responseId ??= asId(responseId);
      this.#serviceTier = asId(serviceTier);
      this.#logprobs = Array.isArray(logprobs) ? (logprobs as JsonValue[]) : undefined;
      return [];
    },
  };

  #textStart(part: Part): RoundPart[] {
    const partId = this.#partId();
    const open = { partId, text: '', facts: metadataOf(part) };
    this.#texts.set(String(part['id']), open);
    this.#content.push(() => ({ type: 'text', text: open.text, ...defined({ phase: asId(open.facts['phase']) }) }));
    return [{ type: 'text-start', id: partId, ...textFacts(open.facts) }];
  }

  #textEnd(part: Part): RoundPart[] {
    const id = String(part['id']);
    const open = this.#texts.get(id);
    if (open === undefined) return [];
    this.#texts.delete(id);
    open.facts = { ...open.facts, ...metadataOf(part) };
    return [{ type: 'text-end', id: open.partId, ...textFacts(open.facts) }];
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

  /** What the server runs is told with its result; a call that is no function call is the caller's, as an item. */
  #toolCall(part: Part): RoundPart[] {
    const stockId = String(part['toolCallId']);
    const text = asString(part['input']) ?? '';
    if (part['providerExecuted'] === true) {
      this.#hostedInputs.set(stockId, text);
      return [];
    }
    const open = this.#inputs.get(stockId);
    this.#inputs.delete(stockId);
    const callId = this.#callIds.get(stockId) ?? this.#claim(stockId);
    const call = {
      type: 'tool-call' as const,
      callId,
      name: String(part['toolName']),
      arguments: text,
      ...defined({
        itemId: asId(metadataOf(part)['itemId']),
        wireCallId: callId === stockId ? undefined : asId(stockId),
        item: this.#items.get(stockId),
      }),
    };
    this.#content.push(() => call);
    return [...(open === undefined ? [] : [{ type: 'tool-input-end', callId: open } as const]), call];
  }

  #hosted(part: Part): RoundPart[] {
    const stockId = String(part['toolCallId']);
    const item = this.#items.get(stockId);
    const name = String(part['toolName']);
    if (item === undefined) {
      this.#warnings.push(`The stock provider told of ${name} what cannot be sent back; it was left out.`);
      return [];
    }
    const family = HOSTED[asString(item['type']) ?? ''];
    const tool = hostedName(name, this.#options.call) === undefined ? (family?.tool ?? name) : name;
    const callId = this.#claim(stockId);
    const input = asId(this.#hostedInputs.get(stockId)) ?? '{}';
    // The stock provider had it from a JSON text.
    const result = (part['result'] ?? null) as JsonValue;
    this.#content.push(() => ({ type: 'item', item }));
    const image = imageOf(item);
    return [
      { type: 'hosted-call', callId, tool, input, item },
      { type: 'hosted-result', callId, tool, result, isError: part['isError'] === true },
      ...(image === undefined ? [] : [{ type: 'file', ...image } as const]),
    ];
  }

  #raw(event: Part): RoundPart[] {
    const { type } = event;
    // Some of these the stock provider passes over.
    if (type === 'response.failed' || type === 'error') this.#error ??= this.#options.toError(event);
    if (type === 'response.incomplete')
      this.#incomplete = mapIncompleteReason(asRecord(event['response']) ?? {}).rawFinishReason;
    const kept = type === 'response.output_item.done' ? this.keep(event['item']) : [];
    return [...(this.#options.call.includeRaw ? [{ type: 'raw', event } as const] : []), ...kept];
  }

  /** An item as it came: what the stock provider tells of it waits for its part, the rest is only replayed. */
  keep(value: unknown): RoundPart[] {
    // It came out of a JSON text.
    const item = asRecord(value) as JsonObject | undefined;
    const type = asString(item?.['type']) ?? 'message';
    if (item === undefined || SPOKEN.has(type)) return [];
    if (!Object.hasOwn(HOSTED, type) && !Object.hasOwn(CLIENT_CALLS, type)) {
      this.#content.push(() => ({ type: 'item', item }));
      return [{ type: 'item', item }];
    }
    for (const id of [asId(item['id']), asId(item['call_id'])]) if (id !== undefined) this.#items.set(id, item);
    return [];
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
  const what = asString(message) ?? `${String(type)}: ${asString(setting) ?? asString(feature) ?? ''}`;
  return typeof details === 'string' ? `${what} (${details})` : what;
}
