import { runJob } from './run-job.js';
import type { PageInput, ReadPage } from './read-page.js';
import { type AddressRules, addressesOf, WebError, webUrl } from './web-address.js';
import { bodyOf, sendGet } from './web-request.js';
import { contentTypeOf, decodeBody, isHtml, isReadable } from './web-text.js';

export { WebError, webUrl } from './web-address.js';

export interface WebFetchOptions extends AddressRules {
  readonly url: string;
  readonly signal: AbortSignal;
  /** Where the text begins, in characters. Default: 0. */
  readonly offset?: number | undefined;
  /** Default: 40,000 characters. */
  readonly maxChars?: number | undefined;
  /** For everything together. Default: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Default: 5,000,000 bytes, unpacked. */
  readonly maxBytes?: number | undefined;
}

export interface WebPage {
  /** Where it was in the end. */
  readonly url: string;
  readonly status: number;
  readonly type: string;
  readonly title?: string | undefined;
  /** A part of it: Markdown of a page, other texts as they are. */
  readonly text: string;
  readonly offset: number;
  readonly totalChars: number;
}

export type WebFetch = (options: WebFetchOptions) => Promise<WebPage>;

const LIMITS = { timeoutMs: 30_000, maxBytes: 5_000_000, maxChars: 40_000, redirects: 5 };
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MODULE = new URL('read-page.ts', import.meta.url).href;

/**
 * Reads a page of the public web as text. A redirect is followed at the same host only: a person was asked about that one.
 *
 * @throws WebError for what is refused, or cannot be had.
 */
export const webFetch: WebFetch = async (options) => {
  const { timeoutMs = LIMITS.timeoutMs } = options;
  const time = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([options.signal, time]);
  try {
    return await fetchPage({ ...options, signal });
  } catch (error) {
    if (error instanceof WebError) throw error;
    if (options.signal.aborted) throw new WebError('It was stopped.');
    if (time.aborted) throw new WebError(`It took longer than ${timeoutMs} ms and was ended.`);
    throw new WebError(`${options.url} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
};

async function fetchPage(options: WebFetchOptions): Promise<WebPage> {
  const { signal, offset = 0, maxChars = LIMITS.maxChars, maxBytes = LIMITS.maxBytes } = options;
  let url = webUrl(options.url);
  for (let hop = 0; ; hop += 1) {
    const response = await sendGet({ url, addresses: await addressesOf(url, options), signal });
    const { statusCode: status = 0, headers } = response;
    if (REDIRECTS.has(status) && headers.location !== undefined) {
      response.destroy();
      if (hop === LIMITS.redirects) throw new WebError(`It redirects more than ${LIMITS.redirects} times.`);
      url = nextUrl(headers.location, url);
      continue;
    }
    const type = contentTypeOf(headers['content-type']);
    if (!isReadable(type)) {
      response.destroy();
      const named = type.type === '' ? 'of no type' : type.type;
      throw new WebError(`${url.href} is ${named} (status ${status}): only text can be read.`);
    }
    const body = decodeBody(await bodyOf(response, maxBytes).finally(() => response.destroy()), type);
    const page = isHtml(type)
      ? await readInThread({ html: body, url: url.href }, signal)
      : { title: undefined, text: body };
    const facts = { url: url.href, status, type: type.type, title: page.title, totalChars: page.text.length };
    return { ...facts, offset, text: page.text.slice(offset, offset + maxChars) };
  }
}

/** Whatever the page makes of it, this thread goes on. */
export function readInThread(input: PageInput, signal: AbortSignal): Promise<ReadPage> {
  const job = { module: MODULE, name: 'readPage', input };
  return runJob(job, { timeoutMs: LIMITS.timeoutMs, signal }) as Promise<ReadPage>;
}

/** @throws WebError if it is at another host, or less safe. */
function nextUrl(location: string, from: URL): URL {
  const next = webUrl(URL.canParse(location, from) ? new URL(location, from).href : location);
  if (next.host !== from.host)
    throw new WebError(`${from.href} redirects to another host: ${next.href}. Ask for that address, if it is wanted.`);
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw new WebError(
      `${from.href} redirects to ${next.href}, which is not encrypted. Ask for that address, if it is wanted.`,
    );
  return next;
}
