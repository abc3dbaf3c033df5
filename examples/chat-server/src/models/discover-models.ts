import { isForChat } from './model-facts.js';

export interface ModelServer {
  /** With its version, such as `http://127.0.0.1:8080/v1`. */
  readonly baseURL: string;
  readonly apiKey: string | undefined;
}

export interface DiscoverOptions {
  /** Default: 3,000. */
  readonly timeoutMs?: number;
}

/** What a server named, or why it named nothing. */
export type Discovered =
  | { readonly models: readonly string[]; readonly problem?: undefined }
  | { readonly models: readonly string[]; readonly problem: string };

const TIMEOUT_MS = 3_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_MODELS = 500;
const MAX_ID_CHARS = 180;

/** Asks `GET /models`. Never rejects: the reason is a sentence for a person, without addresses and keys. */
export async function discoverModels(
  server: ModelServer,
  { timeoutMs = TIMEOUT_MS }: DiscoverOptions = {},
): Promise<Discovered> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    // Of several keys the first will do.
    const key = server.apiKey?.split(',')[0]?.trim();
    const response = await fetch(`${server.baseURL.replace(/\/$/, '')}/models`, {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      // The key is for this server and no other.
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return failed(`its list of models was refused with ${response.status}`);
    }
    const text = await readSome(response);
    if (text === undefined) return failed('its list of models is too long');
    const ids = idsIn(text);
    return ids === undefined ? failed('its answer is not a list of models') : { models: ids };
  } catch {
    return failed(signal.aborted ? `it did not answer within ${timeoutMs / 1_000} s` : 'it cannot be reached');
  }
}

function failed(problem: string): Discovered {
  return { models: [], problem };
}

async function readSome({ body }: Response): Promise<string | undefined> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const bytes of body) {
    size += bytes.byteLength;
    // Leaving the loop cancels the rest.
    if (size > MAX_BYTES) return undefined;
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

function idsIn(text: string): string[] | undefined {
  let list: unknown;
  try {
    const answer: unknown = JSON.parse(text);
    list = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'data') : undefined;
  } catch {
    return undefined;
  }
  if (!Array.isArray(list)) return undefined;
  const ids = list.map((entry: unknown): unknown =>
    typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'id') : undefined,
  );
  const usable = ids.filter((id) => typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS) as string[];
  return [...new Set(usable)].filter(isForChat).slice(0, MAX_MODELS).toSorted();
}
