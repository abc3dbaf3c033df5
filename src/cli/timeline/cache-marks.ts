import type { EventLine, Ranges } from '../../node/event-format.js';
import { type CacheBreak, CACHED_FIELDS, type CachedRequest, CacheWatch } from '../../observe/cache-watch.js';
import { continuesAtServer, nameOf } from '../../observe/watched-requests.js';
import { asNumber, asRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { defined } from '../../util/defined.js';
import { amount } from '../words.js';
import type { Texts } from './texts.js';

/** Finds what broke the prompt cache in the events of one recorder, whose parts have one number for one text. */
export class CacheMarks {
  readonly #watch = new CacheWatch();
  readonly #parts: Texts;
  readonly #entries = new Map<number, Record<string, unknown>>();

  constructor(parts: Texts) {
    this.#parts = parts;
  }

  /** Returns the number of the call that had the beginning of this request before. */
  callBefore({ event }: EventLine): number | undefined {
    return this.#watch.callBefore(asNumber(event['callNumber']) ?? 0);
  }

  /** Returns the words for a round that ends here, if its cache was broken. */
  note(line: EventLine): string | undefined {
    const { event, at } = line;
    const callNumber = asNumber(event['callNumber']);
    if (callNumber === undefined) return undefined;
    if (event.type === 'call-end') this.#watch.callEnd(callNumber);
    // Other methods only concern a response that already runs.
    if (event.type === 'request' && event['method'] === undefined)
      this.#watch.request(callNumber, this.#requestOf(line));
    if (event.type !== 'round-end') return undefined;
    const { inputTokens, cachedInputTokens } = asRecord(event['usage']) ?? {};
    const tokens = { inputTokens: asNumber(inputTokens), cachedInputTokens: asNumber(cachedInputTokens) };
    const found = this.#watch.roundEnd(callNumber, defined(tokens), at);
    return found && wordsFor(found);
  }

  #requestOf({ event, lists, values }: EventLine): CachedRequest {
    const body = asRecord(event['body']) ?? {};
    const idsOf = (field: string): readonly (string | number)[] => {
      const list = lists[`body.${field}`];
      if (list !== undefined) return this.#numbersIn(list);
      const id = values[`body.${field}`] ?? (body[field] === undefined ? undefined : JSON.stringify(body[field]));
      return id === undefined || (Array.isArray(body[field]) && body[field].length === 0) ? [] : [id];
    };
    return {
      // A record of exactly these names, which `fromEntries` forgets.
      fields: Object.fromEntries(CACHED_FIELDS.map((field) => [field, idsOf(field)])) as never,
      continues: continuesAtServer(body),
      isUser: (id) => this.#entry(id)['role'] === 'user',
      nameOf: (id) => nameOf(this.#entry(id)),
    };
  }

  #numbersIn(ranges: Ranges): readonly number[] {
    const numbers: number[] = [];
    for (let at = 0; at < ranges.length; at += 2) {
      const last = Math.min(ranges[at + 1] ?? 0, this.#parts.count);
      for (let number = ranges[at] ?? 1; number <= last; number += 1) numbers.push(number);
    }
    return numbers;
  }

  #entry(id: string | number): Record<string, unknown> {
    if (typeof id === 'string') return {};
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    // Only these are needed, because a string may be long.
    const { role, type, name } = asRecord(parseJson(this.#parts.all[id - 1] ?? '')) ?? {};
    const entry = { role, type, name };
    this.#entries.set(id, entry);
    return entry;
  }
}

function wordsFor({ at, change, name, expectedTokens, cachedTokens }: CacheBreak): string {
  const what = at === undefined ? 'nothing changed' : `${at}${name === undefined ? '' : ` (${name})`} ${change}`;
  const tokens = (count: number | undefined): string => (count === undefined ? '?' : amount(count));
  return `${what}: ${tokens(cachedTokens)} of ${tokens(expectedTokens)} tokens were cached`;
}
