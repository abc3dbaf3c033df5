import { HttpError } from '../errors.js';
import { badRequest } from '../chat/check-request.js';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Texts that were read before their route reads them. */
const peeked = new WeakMap<Request, string>();

/** The text of a request, which its route reads again. @throws HttpError 413. */
export async function peekText(request: Request): Promise<string> {
  const text = peeked.get(request) ?? (await readText(request));
  peeked.set(request, text);
  return text;
}

/** The JSON of a request; nothing at all counts as an empty object. */
export async function readJson(request: Request): Promise<unknown> {
  const written = peeked.get(request) ?? (await readText(request));
  // A request lives as long as its answer, which may be long.
  peeked.delete(request);
  if (written.trim() === '') return {};
  try {
    return JSON.parse(written);
  } catch {
    throw badRequest('The body is not JSON');
  }
}

/** No more of it is read than may be taken. */
async function readText(request: Request): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  const read: string[] = [];
  let size = 0;
  for (const reader = request.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return read.join('') + decoder.decode();
    size += value.byteLength;
    if (size > MAX_BODY_BYTES) {
      await reader.cancel();
      throw tooLarge();
    }
    read.push(decoder.decode(value, { stream: true }));
  }
}

function tooLarge(): HttpError {
  return new HttpError(413, 'too_large', `The request is too large: the limit is ${MAX_BODY_BYTES} bytes.`);
}
