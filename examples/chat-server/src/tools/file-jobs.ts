import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createPathGuard, type PathGuardOptions } from 'responses-loop-example-shared/path-guard.js';
import { documentKindOf, type DocumentKind } from '../documents/document-kinds.js';
import { documentText } from '../documents/document-text.js';
import { DocumentError } from '../documents/office-package.js';
import { fileError, openReadable } from './workspace-files.js';

export { findChange, findState } from './file-change.js';

/** What runs in a thread or a process of its own: see `run-file-job.ts`. Errors are for the model. */

const MAX_BYTES = 20_000_000;
const MAX_LINE_CHARS = 2000;
const MAX_CHARS = 60_000;
const MAX_ENTRIES = 500;

export interface ReadLinesInput {
  readonly real: string;
  /** As the model gave it. */
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
}

export interface ReadLines {
  readonly content: string;
  readonly from: number;
  readonly to: number;
  readonly of: number;
}

export async function readLines(input: ReadLinesInput): Promise<ReadLines> {
  try {
    return excerpt(await readText(input.real, input.path), input);
  } catch (error) {
    throw fileError(error, input.path);
  }
}

async function readText(real: string, path: string): Promise<string> {
  const handle = await openReadable(real, path);
  try {
    const { size } = await handle.stat();
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes: too much to read here.`);
    const bytes = await handle.readFile();
    const kind = documentKindOf(path);
    if (kind !== undefined) return await readDocument({ bytes, name: path, kind });
    if (bytes.includes(0) || !isUtf8(bytes)) throw new Error(`${path} is not a text file (${bytes.length} bytes).`);
    return bytes.toString('utf8');
  } finally {
    await handle.close();
  }
}

export interface ReadDocumentInput {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly kind: DocumentKind;
}

/** @throws Error that begins with the name. */
export async function readDocument({ bytes, name, kind }: ReadDocumentInput): Promise<string> {
  try {
    return await documentText(bytes, kind);
  } catch (error) {
    throw error instanceof DocumentError ? new Error(`${name} ${error.message}`) : error;
  }
}

function excerpt(text: string, { path, offset, limit }: ReadLinesInput): ReadLines {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (offset > Math.max(1, lines.length)) {
    throw new Error(`${path} has ${lines.length} lines: there is no line ${offset}.`);
  }
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const cut = line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)} [… line cut]` : line;
    chars += cut.length + 1;
    if (chars > MAX_CHARS && shown.length > 0) break;
    shown.push(cut);
  }
  return { content: shown.join('\n'), from: offset, to: offset - 1 + shown.length, of: lines.length };
}

export interface ListFolderInput {
  readonly real: string;
  readonly path: string;
  readonly guard: PathGuardOptions;
}

interface Entry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
  readonly size?: number;
}

export interface ListedFolder {
  readonly entries: readonly Entry[];
  readonly notShown: number;
}

export async function listFolder({ real, path, guard: options }: ListFolderInput): Promise<ListedFolder> {
  try {
    const guard = createPathGuard(options);
    const found = await readdir(real, { withFileTypes: true });
    if ((await realpath(real)) !== real) throw new Error(`${path} was moved while it was read.`);
    const visible = found
      .filter(({ name }) => guard.resolve(name, real).isReadable)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const entries = await Promise.all(visible.slice(0, MAX_ENTRIES).map((entry) => describe(entry, real)));
    return { entries, notShown: visible.length - entries.length };
  } catch (error) {
    throw fileError(error, path);
  }
}

async function describe(entry: Dirent, folder: string): Promise<Entry> {
  const { name } = entry;
  if (entry.isDirectory()) return { name, type: 'folder' };
  if (entry.isSymbolicLink()) return { name, type: 'link' };
  if (!entry.isFile()) return { name, type: 'other' };
  const size = await lstat(join(folder, name)).then(
    (found) => found.size,
    () => 0, // Gone since it was listed.
  );
  return { name, type: 'file', size };
}
