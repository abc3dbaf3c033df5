import { createHash } from 'node:crypto';
import type { ChatStorage } from '../store/chat-storage.js';
import { pictureTypeOf, type PictureType } from 'responses-loop-example-shared/picture-type.js';

export const MAX_PICTURE_BYTES = 10_000_000;
const MAX_CHAT_BYTES = 200_000_000;

/** A picture of a chat, as the output of a tool names it. */
export interface Picture {
  /** Below this server; the page asks for it with its token. */
  readonly url: string;
  readonly mediaType: PictureType | 'image/svg+xml';
  readonly bytes: number;
  /** For a person who does not see it. */
  readonly alt: string;
}

export interface StoredPicture {
  readonly mediaType: Picture['mediaType'];
  readonly content: Uint8Array<ArrayBuffer>;
}

const ENDINGS: Readonly<Record<string, Picture['mediaType']>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};
const NAME = /^[0-9a-f]{32}\.(?<ending>png|jpg|gif|webp|svg)$/;
const MAX_ALT_CHARS = 500;

/** Pictures of chats, in the folder of their chat: they go with it. The same picture is kept once. */
export class PictureStore {
  readonly #storage: ChatStorage;
  readonly #folderOf: (sessionId: string) => string;

  constructor(storage: ChatStorage, folderOf: (sessionId: string) => string) {
    this.#storage = storage;
    this.#folderOf = folderOf;
  }

  /** @throws Error for the model: the bytes are no picture, or are too many. */
  async save(sessionId: string, content: Uint8Array, alt: string): Promise<Picture> {
    const mediaType = pictureTypeOf(content);
    if (mediaType === undefined) throw new Error('This is not a PNG, JPEG, GIF or WebP; other files are not shown.');
    return this.#keep(sessionId, content, { mediaType, alt });
  }

  /** For a drawing that this program made itself. One from elsewhere may hold scripts and addresses. */
  async saveDrawing(sessionId: string, svg: string, alt: string): Promise<Picture> {
    return this.#keep(sessionId, Buffer.from(svg), { mediaType: 'image/svg+xml', alt });
  }

  /** `undefined`, if there is none of that name. */
  async read(sessionId: string, name: string): Promise<StoredPicture | undefined> {
    const mediaType = ENDINGS[NAME.exec(name)?.groups?.['ending'] ?? ''];
    if (mediaType === undefined) return undefined;
    const content = await this.#storage.read(`${this.#placeOf(sessionId)}/${name}`);
    return content && { mediaType, content };
  }

  async #keep(
    sessionId: string,
    content: Uint8Array,
    { mediaType, alt }: Pick<Picture, 'mediaType' | 'alt'>,
  ): Promise<Picture> {
    if (content.length > MAX_PICTURE_BYTES) throw tooLarge('The picture has', content.length, MAX_PICTURE_BYTES);
    const folder = this.#placeOf(sessionId);
    await this.#storage.makeFolder(folder);
    const ending = Object.keys(ENDINGS).find((key) => ENDINGS[key] === mediaType) ?? '';
    const name = `${createHash('sha256').update(content).digest('hex').slice(0, 32)}.${ending}`;
    const sizes = await this.#storage.sizes(folder);
    if (!sizes.has(name)) {
      const sum = [...sizes.values()].reduce((total, size) => total + size, content.length);
      if (sum > MAX_CHAT_BYTES) throw tooLarge('With this picture the chat would have', sum, MAX_CHAT_BYTES);
      await this.#storage.replace(`${folder}/${name}`, content);
    }
    const url = `/api/sessions/${sessionId}/pictures/${name}`;
    return { url, mediaType, bytes: content.length, alt: alt.slice(0, MAX_ALT_CHARS) };
  }

  #placeOf(sessionId: string): string {
    return `${this.#folderOf(sessionId)}/pictures`;
  }
}

/** The last part of a picture's address. */
export function nameOfPicture({ url }: Pick<Picture, 'url'>): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

function tooLarge(what: string, bytes: number, limit: number): Error {
  const inMegabytes = (size: number): string => `${(size / 1_000_000).toFixed(1)} MB`;
  return new Error(`${what} ${inMegabytes(bytes)}; ${inMegabytes(limit)} are allowed.`);
}
