import { asArray, asRecord, asString, isRecord } from '../util/guards.js';
import { shortHash } from '../util/hash.js';
import { steadyNow } from '../util/timers.js';
import { CACHED_FIELDS, type CachedRequest, CacheWatch } from './cache-watch.js';
import type { Observer } from './event.js';
import { notify } from './notify.js';

/** Returns an observer that tells the given one when a round was not read from the server's cache. */
export function createCacheObserver(observer: Observer, now: () => number = steadyNow): Observer {
  const watch = new CacheWatch();
  return (event) => {
    // Other methods only concern a response that already runs.
    if (event.type === 'request' && event.method === undefined)
      watch.request(event.callNumber, toCachedRequest(event.body));
    else if (event.type === 'call-end') watch.callEnd(event.callNumber);
    else if (event.type === 'round-end') {
      const { callNumber, round, usage } = event;
      const found = watch.roundEnd(callNumber, usage, now());
      if (found !== undefined) notify(observer, () => ({ type: 'cache-break', callNumber, round, ...found }));
    }
  };
}

/** Keeps no text of the request, only a hash of each entry, and names of tools and items. */
function toCachedRequest(body: unknown): CachedRequest {
  const sent = asRecord(body) ?? {};
  const names = new Map<string, string | undefined>();
  const users = new Set<string>();
  const print = (entry: unknown): string => {
    const id = shortHash(JSON.stringify(entry) ?? '');
    if (isRecord(entry)) {
      names.set(id, nameOf(entry));
      if (entry['role'] === 'user') users.add(id);
    }
    return id;
  };
  const entriesOf = (field: string): readonly string[] => {
    const value = sent[field];
    if (field === 'tools' || field === 'input') return asArray(value).map(print);
    return value === undefined || value === null ? [] : [shortHash(JSON.stringify(value))];
  };
  return {
    // A record of exactly these names, which the type of `fromEntries` loses.
    fields: Object.fromEntries(CACHED_FIELDS.map((field) => [field, entriesOf(field)])) as never,
    continues: continuesAtServer(sent),
    isUser: (id) => users.has(String(id)),
    nameOf: (id) => names.get(String(id)),
  };
}

/** Returns whether the server adds stored items to the input. */
export function continuesAtServer(body: Readonly<Record<string, unknown>>): boolean {
  return (body['previous_response_id'] ?? body['conversation'] ?? undefined) !== undefined;
}

/** Returns the name of a tool, or the type of an item; of a message its role. */
export function nameOf(entry: Readonly<Record<string, unknown>>): string | undefined {
  const { name, role, type } = entry;
  return (
    asString(role) ??
    (type === 'function' || type === 'custom' || type === 'namespace' ? asString(name) : asString(type))
  );
}
