import type { LookupAddress } from 'node:dns';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { WebError } from './web-address.js';

export interface WebRequest {
  readonly url: URL;
  /** The only ones that are connected to, whatever the name says by then. */
  readonly addresses: readonly LookupAddress[];
  readonly signal: AbortSignal;
}

const HEADERS = {
  accept: 'text/html, application/xhtml+xml, text/markdown, text/plain, application/json;q=0.9, text/*;q=0.8',
  'accept-encoding': 'gzip, br, deflate',
  'accept-language': 'en, *;q=0.5',
  'user-agent': 'responses-loop-example (reads a page for a person who asked for it)',
};

/** Leads a connection to these addresses alone, whatever its name says by then. */
export function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

/** Asks once, without cookies and without keys. Follows nothing. */
export function sendGet({ url, addresses, signal }: WebRequest): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // An agent would keep connections to hosts that were looked up earlier.
    const request = send(url, { method: 'GET', headers: HEADERS, agent: false, lookup: lookupOf(addresses), signal });
    request.once('response', resolve).once('error', reject).end();
  });
}

/** The body, unpacked. @throws WebError if it is longer. */
export async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of unpacked(response)) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw new WebError(`The page has more than ${maxBytes} bytes and was not read.`);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

const UNPACK: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

function unpacked(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return response;
  const make = Object.hasOwn(UNPACK, encoding) ? UNPACK[encoding] : undefined;
  if (make === undefined) throw new WebError(`The page is packed as ${encoding}, which is not read.`);
  const unpack = make();
  response.once('error', (error) => unpack.destroy(error));
  return response.pipe(unpack);
}
