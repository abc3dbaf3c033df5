import type { Usage } from '../core/usage.js';
import { defined } from '../util/defined.js';

/** The known parts of a request that servers cache, in the order of comparison. */
export const CACHED_FIELDS = [
  'model',
  'prompt_cache_key',
  'tools',
  'text',
  'reasoning',
  'instructions',
  'input',
] as const;

type CachedField = (typeof CACHED_FIELDS)[number];

/** Identifies an entry: equal entries have equal strings. */
type Id = string | number;

/** A request: the entries of each field. A field that is no list has one entry. */
export interface CachedRequest {
  readonly fields: Readonly<Record<CachedField, readonly Id[]>>;
  /** The server has more of the conversation than the request. */
  readonly continues: boolean;
  readonly isUser: (id: Id) => boolean;
  /** Returns a name for a tool or an item that is safe to show. */
  readonly nameOf: (id: Id) => string | undefined;
}

/** A round whose beginning the server read anew, although it had read it before. */
export interface CacheBreak {
  /**
   * `tools[3]`, `input[0]`, `instructions`. Absent: nothing differs, so the server has dropped it or used another
   * machine.
   */
  readonly at?: string;
  readonly change?: 'changed' | 'added' | 'removed' | 'moved';
  /** The name of the tool, or the type of the item. */
  readonly name?: string;
  /** Input tokens of the previous request. */
  readonly expectedTokens?: number;
  /** Absent: the server does not report it. */
  readonly cachedTokens?: number;
  readonly lostTokens?: number;
  /** Milliseconds since the end of the previous round, because servers drop unused entries. */
  readonly idleMs: number;
}

interface Answered {
  readonly callNumber: number;
  readonly request: CachedRequest;
  readonly inputTokens: number | undefined;
  readonly at: number;
}

interface Pending {
  request: CachedRequest;
  readonly previous: Answered | undefined;
}

/** The most remembered conversations. */
const MOST_CONVERSATIONS = 200;
/** The most remembered requests without an end. */
const MOST_PENDING = 200;
/** Servers cache no shorter prompt (OpenAI's guide "Prompt caching"). */
const LEAST_TOKENS = 1024;
/** Without a difference, a smaller part of the expected tokens is reported. Servers round, and count reasoning otherwise. */
const LEAST_SHARE = 0.5;

/** Compares each request with the previous one of its conversation, even of an earlier call. */
export class CacheWatch {
  readonly #pending = new Map<number, Pending>();
  /** The last answered requests of calls under way. */
  readonly #calls = new Map<number, Answered>();
  /** The last answered request by the first and the last message of the user. */
  readonly #conversations = new Map<string, Answered>();

  request(callNumber: number, request: CachedRequest): void {
    const pending = this.#pending.get(callNumber);
    // A retry.
    if (pending !== undefined) pending.request = request;
    else this.#pending.set(callNumber, { request, previous: this.#calls.get(callNumber) ?? this.#before(request) });
    // Requests for a summary of a conversation never end a round.
    const [oldest] = this.#pending.size > MOST_PENDING ? this.#pending.keys() : [];
    if (oldest !== undefined) this.#pending.delete(oldest);
  }

  /** `at`: in milliseconds, by any clock. Returns a finding, if there is one. */
  roundEnd(callNumber: number, usage: Usage, at: number): CacheBreak | undefined {
    const pending = this.#pending.get(callNumber);
    this.#pending.delete(callNumber);
    // A failed round proves nothing.
    if (pending === undefined || Object.keys(usage).length === 0) return undefined;
    const { request, previous } = pending;
    const answered = { callNumber, request, inputTokens: usage.inputTokens, at };
    this.#calls.set(callNumber, answered);
    this.#remember(answered);
    return previous && breakBetween(previous, answered, usage.cachedInputTokens);
  }

  /** Returns the number of the call that had the beginning of the request under way. The same words alone begin anew. */
  callBefore(callNumber: number): number | undefined {
    const { request, previous } = this.#pending.get(callNumber) ?? {};
    const lengthOf = (one: CachedRequest | undefined): number => one?.fields.input.length ?? 0;
    return lengthOf(request) > lengthOf(previous?.request) ? previous?.callNumber : undefined;
  }

  callEnd(callNumber: number): void {
    this.#pending.delete(callNumber);
    this.#calls.delete(callNumber);
  }

  /** Returns the last request that ended in a message of the user which this one has, too. */
  #before(request: CachedRequest): Answered | undefined {
    const users = request.fields.input.filter(request.isUser);
    for (const last of users.toReversed()) {
      const found = this.#conversations.get(keyOf(users[0], last));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #remember(answered: Answered): void {
    const users = answered.request.fields.input.filter(answered.request.isUser);
    if (users.length === 0) return;
    const key = keyOf(users[0], users.at(-1));
    this.#conversations.delete(key);
    this.#conversations.set(key, answered);
    const [oldest] = this.#conversations.keys();
    if (this.#conversations.size > MOST_CONVERSATIONS && oldest !== undefined) this.#conversations.delete(oldest);
  }
}

function keyOf(first: Id | undefined, last: Id | undefined): string {
  return `${first} ${last}`;
}

function breakBetween(previous: Answered, next: Answered, cachedTokens: number | undefined): CacheBreak | undefined {
  const expected = Math.min(previous.inputTokens ?? 0, next.inputTokens ?? 0);
  const lost = cachedTokens === undefined ? undefined : Math.max(0, expected - cachedTokens);
  const difference = firstDifference(previous.request, next.request);
  const isBreak =
    difference === undefined
      ? expected >= LEAST_TOKENS && cachedTokens !== undefined && cachedTokens < expected * LEAST_SHARE
      : lost !== 0;
  if (!isBreak) return undefined;
  const tokens = { expectedTokens: expected > 0 ? expected : undefined, cachedTokens, lostTokens: lost };
  return { ...difference, ...defined(tokens), idleMs: Math.max(0, next.at - previous.at) };
}

type Difference = Pick<CacheBreak, 'at' | 'change' | 'name'>;
type Change = NonNullable<CacheBreak['change']>;

function firstDifference(previous: CachedRequest, next: CachedRequest): Difference | undefined {
  for (const field of CACHED_FIELDS) {
    const [before, after] = [previous.fields[field], next.fields[field]];
    // Additions at the end of a request do not affect its beginning.
    const end = field === 'input' ? Math.min(before.length, after.length) : Math.max(before.length, after.length);
    if (field === 'input' && (previous.continues || next.continues)) continue;
    for (let index = 0; index < end; index += 1) {
      if (before[index] === after[index]) continue;
      const at = field === 'tools' || field === 'input' ? `${field}[${index}]` : field;
      const change = changeOf(before.slice(index), after.slice(index));
      const [request, id] = change === 'removed' ? [previous, before[index]] : [next, after[index]];
      return { at, change, ...defined({ name: id === undefined ? undefined : request.nameOf(id) }) };
    }
  }
  return undefined;
}

/** The lists begin with two different entries, or one of them is empty. */
function changeOf([old, ...before]: readonly Id[], [now, ...after]: readonly Id[]): Change {
  if (now === undefined) return 'removed';
  if (old === undefined) return 'added';
  const [isKept, isOld] = [after.includes(old), before.includes(now)];
  if (isKept && isOld) return 'moved';
  if (isKept) return 'added';
  return isOld ? 'removed' : 'changed';
}
