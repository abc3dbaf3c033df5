import type { FilePart, ImagePart, TextPart } from 'ai';

import type { ContentBlock, FileBlock, UserMessage } from '../types/messages.js';

/** Types that are read as text, beside `text/…`. */
const TEXT_TYPES =
  /^(text\/|application\/(json|xml|javascript|typescript|yaml|x-yaml|toml|sql|x-sh|x-ndjson|graphql)$)|\+(json|xml)$/;

/** What a user says, as the model is given it. */
export function toUserContent(content: UserMessage['content']): string | (TextPart | ImagePart | FilePart)[] {
  return typeof content === 'string' ? content : content.map(toPart);
}

function toPart(block: ContentBlock): TextPart | ImagePart | FilePart {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image') {
    const { data, mediaType } = block;
    return { type: 'image', image: addressOr(data), ...(mediaType === undefined ? {} : { mediaType }) };
  }
  if (isText(block.mediaType) && !isAddress(block.data)) return { type: 'text', text: inlined(block) };
  const { data, mediaType, name } = block;
  return { type: 'file', data: addressOr(data), mediaType, ...(name === undefined ? {} : { filename: name }) };
}

function isText(mediaType: string): boolean {
  return TEXT_TYPES.test(mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '');
}

/** A text file stands in the message, under its name. */
function inlined({ name, data }: FileBlock): string {
  return `File ${name ?? '(without a name)'}:\n\n${textOf(data)}`;
}

function textOf(data: string | Uint8Array): string {
  if (typeof data !== 'string') return new TextDecoder().decode(data);
  const [, parameters, body] = /^data:([^,]*),(.*)$/s.exec(data) ?? [];
  if (body === undefined) return decoded(data) ?? data;
  return parameters?.endsWith(';base64') === true ? (decoded(body) ?? body) : decodeURIComponent(body);
}

/** Base64 of UTF-8; `undefined` for what is not, so that a plain text given as data stays what it is. */
function decoded(base64: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function addressOr(data: string | Uint8Array): string | Uint8Array | URL {
  return isAddress(data) ? new URL(data) : data;
}

function isAddress(data: string | Uint8Array): data is string {
  return typeof data === 'string' && /^https?:\/\//i.test(data);
}
