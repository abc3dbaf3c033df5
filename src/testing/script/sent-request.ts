import { defined } from '../../util/defined.js';

type FetchArguments = Parameters<typeof globalThis.fetch>;

/** The arguments of a `fetch` in one form. */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  /** Reads the body. A stream can be read only once, so a caller that passes the request on then takes `again`. */
  text(): Promise<string>;
  /** The arguments once more, with a body that can be read. */
  readonly again: FetchArguments;
}

/** Reads the arguments of a `fetch`; throws as `fetch` does if they have no URL. */
export function readSentRequest(...[input, init = {}]: FetchArguments): SentRequest {
  const request = isRequest(input) ? input : undefined;
  const { method, headers, signal, body } = { ...factsOf(request), ...defined(init) };
  let again: FetchArguments = [input, init];
  return {
    method: (method ?? 'GET').toUpperCase(),
    url: new URL(isRequest(input) ? input.url : input),
    headers: Object.fromEntries(new Headers(headers).entries()),
    signal: signal ?? undefined,
    text: async () => {
      if (body === undefined || body === null) return (await request?.clone().text()) ?? '';
      const bytes = await new Response(body).arrayBuffer();
      // A stream of the web, or of Node.
      if (typeof body === 'object' && Symbol.asyncIterator in body) again = [input, { ...init, body: bytes }];
      return new TextDecoder().decode(bytes);
    },
    get again() {
      return again;
    },
  };
}

/** Looks at the members, because a test environment may have its own class. */
function isRequest(input: FetchArguments[0]): input is Request {
  return typeof input === 'object' && 'url' in input;
}

/** Its body stays with it: it is read from a clone. */
function factsOf(request: Request | undefined): RequestInit {
  return request === undefined ? {} : { method: request.method, headers: request.headers, signal: request.signal };
}
