import type { Profile } from '../core/profile.js';
import { invalidSettings } from '../errors/invalid-settings.js';

/** Later headers win; names are compared without case; `undefined` and `null` remove a header. */
export type HeaderLayer = Readonly<Record<string, string | null | undefined>>;

/** The header of the key, and the prefix of its value. */
const AUTH: Readonly<Record<Profile['auth'], readonly [header: string, scheme: string] | undefined>> = {
  bearer: ['authorization', 'Bearer '],
  'api-key': ['api-key', ''],
  'x-goog-api-key': ['x-goog-api-key', ''],
  none: undefined,
};

const BASIC: HeaderLayer = {
  'content-type': 'application/json',
  accept: 'text/event-stream, application/json',
};

/** Only headers of the user and those that the server needs, because browsers refuse others (ollama/ollama#4388). */
export function buildHeaders(
  auth: Profile['auth'],
  key: string | undefined,
  layers: readonly HeaderLayer[],
): Record<string, string> {
  const [header, scheme] = AUTH[auth] ?? [];
  const own = key === undefined || header === undefined ? {} : { [header]: `${scheme}${key}` };
  return mergeHeaders([BASIC, own, ...layers]);
}

/** Merges headers in lower case; the last layer with a value wins. */
export function mergeHeaders(layers: readonly HeaderLayer[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) {
      if (value === undefined || value === null) headers.delete(name.toLowerCase());
      else headers.set(name.toLowerCase(), value);
    }
  }
  return Object.fromEntries(headers);
}

/** Refuses a header that `fetch` would refuse, when the provider is created. */
export function checkHeaders(headers: HeaderLayer, where: string): void {
  for (const [name, value] of Object.entries(headers)) {
    const problem = problemOf(name, value);
    if (problem !== undefined) {
      throw invalidSettings(`${where}: the header ${JSON.stringify(name)} ${problem}.`);
    }
  }
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name)) return 'has a name that HTTP does not allow';
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return `must be a string, not ${typeof value}`;
  if (/[\r\n]/.test(value)) return 'contains a line break';
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? undefined : 'contains a character that HTTP does not allow';
}
