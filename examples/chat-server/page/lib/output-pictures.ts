import { pictureTypeOf } from 'responses-loop-example-shared/picture-type.js';
import { asObject, stringIn } from './parts.js';

/** A picture of this server, or one whose bytes came with the message. */
export type ShownPicture =
  | { readonly kind: 'kept'; readonly url: string }
  | { readonly kind: 'here'; readonly url: string };

export interface NamedPicture {
  readonly picture: ShownPicture;
  readonly alt: string;
}

const KEPT = /^\/api\/sessions\/[\w-]{1,64}\/pictures\/[0-9a-f]{32}\.(?:png|jpg|gif|webp|svg)$/;
const DATA_URL = /^data:[^,;]*(?:;[^,;]*)*;base64,/i;
const MAX_CHARS = 14_000_000;
const MAX_PICTURES = 20;

/** A picture of a message: kept by this server, or in it. */
export function pictureOfFile(url: string): ShownPicture | undefined {
  return KEPT.test(url) ? { kind: 'kept', url } : pictureOfDataUrl(url);
}

/** A data URL by what its bytes are, whatever it calls them. */
function pictureOfDataUrl(url: string): ShownPicture | undefined {
  const [head] = DATA_URL.exec(url) ?? [];
  return head === undefined ? undefined : pictureOfBase64(url.slice(head.length));
}

/** Addresses count in outputs of our own tools only: what another server writes opens nothing here. */
export function picturesOf(output: unknown, isOwn: boolean): readonly NamedPicture[] {
  if (isOwn) {
    const kept = asObject(output)['picture'];
    const url = stringIn(kept, 'url');
    if (url === undefined || !KEPT.test(url)) return [];
    return [{ picture: { kind: 'kept', url }, alt: stringIn(kept, 'alt') ?? 'Picture' }];
  }
  const found = blocksOf(output).flatMap((block) => {
    const data = dataOf(block);
    const picture = data === undefined ? undefined : pictureOfBase64(data);
    return picture === undefined ? [] : [{ picture, alt: stringIn(block, 'filename') ?? 'Picture from the tool' }];
  });
  return found.slice(0, MAX_PICTURES);
}

/** The output with the number of bytes in place of pictures, for reading. */
export function withoutPictures(output: unknown): unknown {
  const blocks = blocksOf(output);
  if (!blocks.some((block) => dataOf(block) !== undefined)) return output;
  return blocks.map((block) => {
    const data = dataOf(block);
    if (data === undefined) return block;
    return { ...asObject(block), data: `(${Math.floor(data.length * 0.75).toLocaleString('en')} bytes)` };
  });
}

function pictureOfBase64(data: string): ShownPicture | undefined {
  if (data.length > MAX_CHARS) return undefined;
  const type = pictureTypeOf(firstBytes(data));
  return type === undefined ? undefined : { kind: 'here', url: `data:${type};base64,${data}` };
}

function firstBytes(data: string): Uint8Array {
  try {
    return Uint8Array.from(atob(data.slice(0, 24)), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** As MCP has them, and as the AI SDK has them. */
function blocksOf(output: unknown): readonly unknown[] {
  if (Array.isArray(output)) return output;
  const { content, value } = asObject(output);
  if (Array.isArray(content)) return content;
  return Array.isArray(value) ? value : [];
}

function dataOf(block: unknown): string | undefined {
  const type = stringIn(block, 'type');
  return type === 'image' || type === 'image-data' ? stringIn(block, 'data') : undefined;
}
