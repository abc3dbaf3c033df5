import type { FilePart, ImagePart, TextPart } from 'ai';

import { blockProblem, isTextType, leftOutNote } from '../core/attachments.js';
import type { ContentBlock, FileBlock, UserMessage } from '../types/messages.js';

/** Whether a block stays out of this request, whatever it holds; called for each that is no text. */
export type IsLeftOut = (block: ContentBlock) => boolean;

/** What a user says, as the model is given it. What cannot be sent is left out, with a note in its place. */
export function toUserContent(
  content: UserMessage['content'],
  isLeftOut: IsLeftOut = () => false,
): string | (TextPart | ImagePart | FilePart)[] {
  if (typeof content === 'string') return content;
  // A row of another version may hold anything.
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) =>
    blockProblem(block) === undefined && !((block as ContentBlock).type !== 'text' && isLeftOut(block as ContentBlock))
      ? toPart(block as ContentBlock)
      : { type: 'text', text: leftOutNote(block) },
  );
}

function toPart(block: ContentBlock): TextPart | ImagePart | FilePart {
  if (block.type === 'text') return { type: 'text', text: block.text };
  if (block.type === 'image') {
    const { data, mediaType } = block;
    return { type: 'image', image: addressOr(data), ...(mediaType === undefined ? {} : { mediaType }) };
  }
  if (isTextType(block.mediaType) && !isAddress(block.data)) return { type: 'text', text: inlined(block) };
  const { data, mediaType, name } = block;
  return { type: 'file', data: addressOr(data), mediaType, ...(name === undefined ? {} : { filename: name }) };
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
