import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import { pictureTypeOf } from 'responses-loop-example-shared/picture-type.js';
import { isBinary } from './text-file.js';
import { withFile } from './read-file.js';

export interface LineRange {
  /** Real path of the file. */
  readonly path: string;
  /** The first line, from 1. */
  readonly offset: number;
  readonly limit: number;
  /** Longer lines are cut. */
  readonly maxChars: number;
}

/** What a file is, and the lines of it that were asked for. */
export type FileView =
  | {
      readonly kind: 'text';
      readonly hash: string;
      readonly lines: readonly string[];
      readonly total: number;
      readonly hasCutLines: boolean;
    }
  | {
      readonly kind: 'image';
      readonly hash: string;
      readonly mimeType: string;
      readonly size: number;
      readonly content?: Uint8Array | undefined;
    }
  | { readonly kind: 'binary'; readonly hash: string; readonly size: number };

const CHUNK = 256 * 1024;
const MAX_IMAGE_BYTES = 5_000_000;

/** Reads a file from its start to its end, and holds no more of it than was asked for. */
export function viewFile(range: LineRange): Promise<FileView> {
  return withFile(range.path, async (file, size) => {
    const hash = createHash('sha256');
    const chunk = Buffer.alloc(CHUNK);
    const { bytesRead } = await file.read(chunk, 0, CHUNK, 0);
    const start = Buffer.from(chunk.subarray(0, bytesRead));
    const mimeType = pictureTypeOf(start);
    const isText = mimeType === undefined && !isBinary(start);
    const picker = new LinePicker(range);
    const kept: Buffer[] = [];
    const isKept = mimeType !== undefined && size <= MAX_IMAGE_BYTES;
    let at = 0;
    for (let length = bytesRead; length > 0;) {
      const read = chunk.subarray(0, length);
      hash.update(read);
      if (isText) picker.add(read);
      if (isKept && at <= MAX_IMAGE_BYTES) kept.push(Buffer.from(read));
      at += length;
      ({ bytesRead: length } = await file.read(chunk, 0, CHUNK, at));
    }
    const facts = { hash: hash.digest('hex'), size: at };
    if (mimeType !== undefined)
      return { kind: 'image', ...facts, mimeType, content: isKept ? Buffer.concat(kept) : undefined };
    return isText ? { kind: 'text', hash: facts.hash, ...picker.end() } : { kind: 'binary', ...facts };
  });
}

/** Takes a text in pieces and keeps the lines of a range. */
class LinePicker {
  readonly #range: LineRange;
  readonly #decoder = new StringDecoder('utf8');
  readonly #lines: string[] = [];
  #line = '';
  #chars = 0;
  #number = 1;
  #hasCutLines = false;

  constructor(range: LineRange) {
    this.#range = range;
  }

  add(chunk: Uint8Array): void {
    const parts = this.#decoder.write(chunk).split('\n');
    for (const [at, part] of parts.entries()) {
      if (at > 0) this.#endLine();
      this.#addPart(part);
    }
  }

  end(): { readonly lines: readonly string[]; readonly total: number; readonly hasCutLines: boolean } {
    this.#addPart(this.#decoder.end());
    if (this.#chars > 0) this.#endLine();
    return { lines: this.#lines, total: this.#number - 1, hasCutLines: this.#hasCutLines };
  }

  #addPart(part: string): void {
    this.#chars += part.length;
    const room = this.#range.maxChars + 1 - this.#line.length;
    if (room > 0) this.#line += part.slice(0, room);
  }

  #endLine(): void {
    const { offset, limit, maxChars } = this.#range;
    if (this.#number >= offset && this.#number < offset + limit) {
      const line = this.#line.replace(/\r$/, '');
      const isCut = this.#chars > maxChars + 1 || line.length > maxChars;
      this.#hasCutLines ||= isCut;
      const text = isCut ? `${line.slice(0, maxChars)} [… ${this.#chars - maxChars} more characters]` : line;
      this.#lines.push(this.#number === 1 ? text.replace(/^\ufeff/, '') : text);
    }
    this.#number += 1;
    this.#line = '';
    this.#chars = 0;
  }
}
