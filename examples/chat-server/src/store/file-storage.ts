import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openJsonl, readJsonl } from 'responses-loop-example-shared/jsonl.js';
import {
  type AppendedLine,
  bytesOf,
  type ChatStorage,
  checkPath,
  lineOf,
  type LinesMark,
  type StoredLines,
} from './chat-storage.js';
import { replaceFile } from './replace-file.js';
import { Serial } from './serial.js';

/** Nobody else writes, so one mark does. */
const MARK = 'read';
const NO_LINES: StoredLines = { lines: [], broken: [], isTorn: false, mark: MARK, isWhole: false };

/** Files in the data folder. Its lock holds every other process off. */
export class FileStorage implements ChatStorage {
  readonly isOwn = true;
  readonly #root: string;
  readonly #serial = new Serial();

  constructor(root: string) {
    this.#root = root;
  }

  nameOf(path: string): string {
    return join(this.#root, checkPath(path));
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      return new Uint8Array(await readFile(this.nameOf(path)));
    } catch (error) {
      return unlessCode(error, 'ENOENT');
    }
  }

  readEach(paths: readonly string[]): Promise<(Uint8Array<ArrayBuffer> | undefined)[]> {
    return Promise.all(paths.map((path) => this.read(path)));
  }

  async replace(path: string, content: string | Uint8Array): Promise<void> {
    await replaceFile(this.nameOf(path), bytesOf(content));
  }

  async update(
    path: string,
    change: (current: Uint8Array<ArrayBuffer> | undefined) => string | Uint8Array,
  ): Promise<void> {
    await this.#serial.run(path, async () => this.replace(path, change(await this.read(path))));
  }

  async append(path: string, value: unknown): Promise<AppendedLine> {
    lineOf(value);
    const file = openJsonl(this.nameOf(path));
    try {
      file.append(value);
    } finally {
      file.close();
    }
    return { before: MARK, after: MARK };
  }

  async lines(path: string, since?: LinesMark): Promise<StoredLines> {
    const file = this.nameOf(path);
    if (since !== undefined) return NO_LINES;
    return existsSync(file) ? { ...readJsonl(file), mark: MARK, isWhole: true } : { ...NO_LINES, isWhole: true };
  }

  async rewrite(path: string, arrange: (values: readonly unknown[]) => readonly unknown[]): Promise<void> {
    const { lines } = await this.lines(path);
    const text = arrange(lines.map(({ value }) => value)).map((value) => `${lineOf(value)}\n`);
    await replaceFile(this.nameOf(path), text.join(''));
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(this.nameOf(from), this.nameOf(to));
  }

  async sizes(folder: string): Promise<ReadonlyMap<string, number>> {
    const names = await this.#namesIn(folder, (entry) => entry.isFile());
    const sizes = await Promise.all(
      names.map(async (name) => [name, (await stat(join(this.nameOf(folder), name))).size] as const),
    );
    return new Map(sizes);
  }

  folders(folder: string): Promise<string[]> {
    return this.#namesIn(folder, (entry) => entry.isDirectory());
  }

  async makeFolder(folder: string): Promise<boolean> {
    try {
      // Not recursive: the folder of a session that was deleted does not come back.
      await mkdir(this.nameOf(folder), { mode: 0o700 });
      return true;
    } catch (error) {
      unlessCode(error, 'EEXIST');
      return false;
    }
  }

  async removeFolder(folder: string): Promise<void> {
    await rm(this.nameOf(folder), { recursive: true, force: true });
  }

  close(): Promise<void> {
    return this.#serial.idle();
  }

  async #namesIn(
    folder: string,
    isWanted: (entry: { isFile(): boolean; isDirectory(): boolean }) => boolean,
  ): Promise<string[]> {
    try {
      const entries = await readdir(this.nameOf(folder), { withFileTypes: true });
      return entries.filter(isWanted).map(({ name }) => name);
    } catch (error) {
      return unlessCode(error, 'ENOENT') ?? [];
    }
  }
}

function unlessCode(error: unknown, code: string): undefined {
  if (!(error instanceof Error) || Reflect.get(error, 'code') !== code) throw error;
}
