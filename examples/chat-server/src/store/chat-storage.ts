import type { JsonlContent } from 'responses-loop-example-shared/jsonl.js';
import { wellFormedProblem } from 'responses-loop-example-shared/well-formed.js';

/** Where lines were read up to. Only the storage that gave it can read it. */
export type LinesMark = string;

export interface StoredLines extends JsonlContent {
  /** For the next reading. */
  readonly mark: LinesMark;
  /** These are all lines, whatever mark was given: what was read before no longer counts. */
  readonly isWhole: boolean;
}

export interface AppendedLine {
  /** The mark of all lines before this one, and with it. */
  readonly before: LinesMark;
  readonly after: LinesMark;
}

/**
 * Keeps what the stores write, by paths such as `sessions/chat_1/session.json`. A file lies in a folder; where its folder is
 * not there, nothing is kept: the error has the code `ENOENT`. What was accepted is read back unchanged. A file has either
 * content or lines.
 */
export interface ChatStorage {
  /** This process alone writes here, so what was read once stays true. */
  readonly isOwn: boolean;
  /** For a person. */
  nameOf(path: string): string;
  /** `undefined`: no such file. */
  read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** The same for many. */
  readEach(paths: readonly string[]): Promise<(Uint8Array<ArrayBuffer> | undefined)[]>;
  /** The file has the old content or the new one, whenever a process or a machine stops. */
  replace(path: string, content: string | Uint8Array): Promise<void>;
  /**
   * Reads and replaces in one step: of two that do so at the same time, the second one reads what the first one wrote.
   * What `change` throws is thrown, and nothing is written.
   */
  update(path: string, change: (current: Uint8Array<ArrayBuffer> | undefined) => string | Uint8Array): Promise<void>;
  /** One more line of JSON, whole or not at all. */
  append(path: string, value: unknown): Promise<AppendedLine>;
  /** All lines, or those that somebody else appended since. No such file: none. */
  lines(path: string, since?: LinesMark): Promise<StoredLines>;
  /** Puts other lines in the place of all that are there, in one step. */
  rewrite(path: string, arrange: (values: readonly unknown[]) => readonly unknown[]): Promise<void>;
  /** The old name is free then. */
  rename(from: string, to: string): Promise<void>;
  /** Files in a folder with their bytes. No such folder: none. */
  sizes(folder: string): Promise<ReadonlyMap<string, number>>;
  /** Names of the folders in a folder. No such folder: none. */
  folders(folder: string): Promise<string[]>;
  /** `false`: it was there already. The folder around it has to be there. */
  makeFolder(folder: string): Promise<boolean>;
  /** With all that is in it. */
  removeFolder(folder: string): Promise<void>;
  close(): Promise<void>;
}

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,127}$/;

/** @throws TypeError, if a path could lead out of the storage. */
export function checkPath(path: string): string {
  if (path.split('/').every((name) => NAME.test(name))) return path;
  throw new TypeError(
    `"${path}" is not a path of the chat storage: a name may contain only letters, digits, "_", "-" and ".".`,
  );
}

/** @throws TypeError, if UTF-8 has no form for a text: it would be read back as another one. */
export function bytesOf(content: string | Uint8Array): Uint8Array {
  if (typeof content !== 'string') return content;
  const problem = wellFormedProblem('content', content);
  if (problem === undefined) return Buffer.from(content);
  throw new TypeError(problem);
}

export function lineOf(value: unknown): string {
  const line: string | undefined = JSON.stringify(value);
  if (line !== undefined) return line;
  throw new TypeError(`A line is JSON, and ${typeof value} is not.`);
}
