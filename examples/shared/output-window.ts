import { closeSync, openSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

export interface OutputWindowOptions {
  /** Characters that are kept: the first 60 %, the last 40 %. */
  readonly maxChars: number;
  /** Made once there is more than that, and holds everything up to `maxFileBytes`. */
  readonly file?: string | undefined;
  readonly maxFileBytes: number;
}

const HEAD_SHARE = 0.6;

/** Takes an output of any length and holds a bounded part of it. */
export class OutputWindow {
  readonly #options: OutputWindowOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #headChars: number;
  #head = '';
  #tail = '';
  #chars = 0;
  #file: number | undefined;
  #fileBytes = 0;
  #fileProblem: string | undefined;

  constructor(options: OutputWindowOptions) {
    this.#options = options;
    this.#headChars = Math.floor(options.maxChars * HEAD_SHARE);
  }

  /** Answers with the text that has become whole. */
  add(chunk: Uint8Array): string {
    return this.#addText(this.#decoder.write(chunk));
  }

  /** What came, with a line in place of what is missing. Adds no more afterwards. */
  end(): { readonly text: string; readonly isTruncated: boolean } {
    this.#addText(this.#decoder.end());
    if (this.#file !== undefined) closeSync(this.#file);
    const missing = this.#chars - this.#head.length - this.#tail.length;
    if (missing === 0) return { text: this.#head + this.#tail, isTruncated: false };
    return {
      text: `${this.#head}\n[… ${missing} characters are missing here; ${this.#where()} …]\n${this.#tail}`,
      isTruncated: true,
    };
  }

  #addText(text: string): string {
    const { maxChars } = this.#options;
    if (this.#chars <= maxChars && this.#chars + text.length > maxChars) this.#openFile(this.#head + this.#tail);
    this.#write(text);
    this.#chars += text.length;
    const room = this.#headChars - this.#head.length;
    this.#head += text.slice(0, room);
    const tailChars = maxChars - this.#headChars;
    this.#tail += text.slice(room);
    if (this.#tail.length > tailChars) this.#tail = this.#tail.slice(-tailChars);
    return text;
  }

  #openFile(before: string): void {
    const { file } = this.#options;
    if (file === undefined) return;
    try {
      this.#file = openSync(file, 'wx', 0o600);
      this.#write(before);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #write(text: string): void {
    const room = this.#options.maxFileBytes - this.#fileBytes;
    if (this.#file === undefined || room <= 0) return;
    try {
      this.#fileBytes += writeSync(this.#file, Buffer.from(text).subarray(0, room));
    } catch (error) {
      closeSync(this.#file);
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    this.#file = undefined;
    this.#fileProblem = error instanceof Error ? error.message : String(error);
  }

  #where(): string {
    const { file, maxFileBytes } = this.#options;
    if (file === undefined) return 'they are not kept';
    if (this.#fileProblem !== undefined) return `they could not be kept (${this.#fileProblem})`;
    return this.#fileBytes < maxFileBytes
      ? `all of it is in ${file}`
      : `its first ${maxFileBytes} bytes are in ${file}`;
  }
}
