import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

export interface JsonlFile {
  /** Writes one line with one write. `isSynced`: it is on the disk when this returns. Throws what the system says. */
  append(value: unknown, options?: { readonly isSynced?: boolean }): void;
  close(): void;
}

export interface JsonlLine {
  /** Counted from 1. */
  readonly number: number;
  readonly value: unknown;
}

export interface JsonlContent {
  readonly lines: readonly JsonlLine[];
  /** Numbers of lines that are no JSON. */
  readonly broken: readonly number[];
  /** The last line has no end: it was being written when the process died. */
  readonly isTorn: boolean;
}

/** Opens a file to append to, or makes it. What a torn last line holds is cut off. */
export function openJsonl(path: string): JsonlFile {
  const file = openSync(path, 'a+', 0o600);
  try {
    cutTornLine(file);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    append: (value, { isSynced = false } = {}) => {
      appendLine(file, Buffer.from(`${JSON.stringify(value)}\n`));
      if (isSynced) fsyncSync(file);
    },
    close: () => closeSync(file),
  };
}

export function readJsonl(path: string): JsonlContent {
  return parseJsonl(readFileSync(path, 'utf8'));
}

export function parseJsonl(text: string): JsonlContent {
  const texts = text.split('\n');
  const isTorn = texts.pop() !== '';
  const lines: JsonlLine[] = [];
  const broken: number[] = [];
  for (const [index, line] of texts.entries()) {
    if (line.trim() === '') continue;
    try {
      lines.push({ number: index + 1, value: JSON.parse(line) });
    } catch {
      broken.push(index + 1);
    }
  }
  return { lines, broken, isTorn };
}

/** A line that the disk did not take whole is taken back, so that the next one does not continue it. */
function appendLine(file: number, line: Uint8Array): void {
  const before = fstatSync(file).size;
  let isWhole = false;
  try {
    const written = writeSync(file, line);
    isWhole = written === line.length;
    if (!isWhole) throw new Error(`Only ${written} of ${line.length} bytes could be written.`);
  } finally {
    if (!isWhole) takeBack(file, before);
  }
}

function takeBack(file: number, size: number): void {
  try {
    ftruncateSync(file, size);
  } catch {
    // The error of the write says more.
  }
}

const BLOCK = 64 * 1024;
const NEWLINE = 0x0a;

function cutTornLine(file: number): void {
  const { size } = fstatSync(file);
  const block = Buffer.alloc(BLOCK);
  for (let end = size; end > 0; end -= BLOCK) {
    const start = Math.max(0, end - BLOCK);
    const at = block.subarray(0, readSync(file, block, 0, end - start, start)).lastIndexOf(NEWLINE);
    if (at === -1 && start > 0) continue;
    if (start + at + 1 < size) ftruncateSync(file, start + at + 1);
    return;
  }
}
