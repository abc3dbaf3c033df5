import type { ContentBlock } from '../types/messages.js';

/** Characters of the data of one block; bytes count as the base64 that they become. */
const MAX_DATA_CHARS = 30_000_000;
const MAX_NAME_CHARS = 255;

/** `type/subtype` of RFC 6838, with parameters behind it. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]{0,63})(?: *;[ -~]{0,200})?$/i;
/** Types that are read as text, beside `text/…`. */
const TEXT_TYPES =
  /^(text\/|application\/(json|xml|javascript|typescript|yaml|x-yaml|toml|sql|x-sh|x-ndjson|graphql)$)|\+(json|xml)$/;

export function isTextType(mediaType: string): boolean {
  return TEXT_TYPES.test(mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
}

/**
 * Why a block cannot be sent, as the rest of a sentence; `undefined` if nothing here speaks against it. A row that a model
 * never takes would make every later turn of its session fail, so what is not known to be good is refused.
 */
export function blockProblem(block: unknown): string | undefined {
  const { type, text, data, mediaType, name } = (block ?? {}) as Partial<Record<string, unknown>>;
  if (type === 'text') return typeof text === 'string' && text !== '' ? undefined : 'needs a `text` that is not empty.';
  if (type !== 'image' && type !== 'file') return `has the type ${String(type)}; known are text, image and file.`;
  if (type === 'file' || mediaType !== undefined) {
    if (typeof mediaType !== 'string' || !MEDIA_TYPE.test(mediaType)) return 'needs a `mediaType` such as "image/png".';
    if (type === 'image' && !/^image\//i.test(mediaType))
      return `is an image, and has the \`mediaType\` "${mediaType}".`;
  }
  if (name !== undefined && (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARS))
    return `needs a \`name\` of 1 to ${MAX_NAME_CHARS} characters, or none.`;
  return dataProblem(data, type === 'file' && typeof mediaType === 'string' && isTextType(mediaType));
}

function dataProblem(data: unknown, mayBeText: boolean): string | undefined {
  const isBytes = data instanceof Uint8Array;
  if (!isBytes && typeof data !== 'string')
    return 'needs `data`: bytes, base64, a data URL or an address that begins with https://.';
  const chars = isBytes ? (data.length * 4) / 3 : data.length;
  if (chars === 0) return 'has no `data`: it is empty.';
  if (chars > MAX_DATA_CHARS)
    return `has more \`data\` than a message may have (${MAX_DATA_CHARS} characters of base64).`;
  if (isBytes) return undefined;
  if (/^data:/i.test(data)) return dataUrlProblem(data);
  if (/^https?:/i.test(data)) return addressProblem(data);
  if (mayBeText || isBase64(data)) return undefined;
  return /^[a-z][a-z0-9+.-]*:/i.test(data)
    ? 'has an address of a kind that is not taken: use a data URL, or one that begins with https://.'
    : 'has `data` that is not base64.';
}

function dataUrlProblem(url: string): string | undefined {
  const comma = url.indexOf(',');
  const head = comma < 0 ? '' : url.slice('data:'.length, comma);
  const [mediaType = '', ...parameters] = head.split(';');
  if (comma < 0 || (mediaType !== '' && !MEDIA_TYPE.test(mediaType)))
    return 'has a data URL that cannot be read: it is "data:TYPE;base64,DATA".';
  const body = url.slice(comma + 1);
  if (body === '') return 'has an empty data URL.';
  if (parameters.at(-1)?.toLowerCase() !== 'base64') return percentProblem(body);
  return isBase64(body) ? undefined : 'has a data URL whose data is not base64.';
}

function percentProblem(body: string): string | undefined {
  try {
    decodeURIComponent(body);
    return undefined;
  } catch {
    return 'has a data URL whose data is wrongly escaped.';
  }
}

/** Who downloads it, this program or the server of the model, must not be led into a network of its own. */
function addressProblem(address: string): string | undefined {
  if (!URL.canParse(address)) return 'has an address that cannot be read.';
  const { protocol, hostname, username, password } = new URL(address);
  if (protocol !== 'https:') return 'has an address that does not begin with https://.';
  if (username !== '' || password !== '') return 'has an address with a user or a password in it.';
  const host = hostname.toLowerCase().replace(/\.$/, '');
  const isPublicName =
    host.includes('.') &&
    !/^[\d.]+$/.test(host) &&
    !host.startsWith('[') &&
    !/\.(?:local|localhost|internal)$/.test(host);
  return isPublicName
    ? undefined
    : 'has an address of this machine or of a private network, or one by number: use a public name.';
}

/** Standard or URL-safe, with or without its padding; in steps of a size, since a data URL may have millions of characters. */
function isBase64(text: string): boolean {
  const unpadded = text.replace(/={1,2}$/, '');
  if (unpadded === '' || unpadded.length % 4 === 1) return false;
  if (unpadded.length !== text.length && text.length % 4 !== 0) return false;
  return !/[^A-Za-z0-9+/_-]/.test(unpadded);
}

/** What stands in a request in place of a block that is left out of it. */
export function leftOutNote(block: unknown): string {
  const { type, name, mediaType } = (block ?? {}) as Partial<ContentBlock & { name: unknown; mediaType: unknown }>;
  const what =
    type === 'image' ? 'image' : type === 'file' ? `file ${String(name ?? mediaType)}` : 'part of this message';
  return `[${what} left out: it cannot be sent to the model]`;
}
