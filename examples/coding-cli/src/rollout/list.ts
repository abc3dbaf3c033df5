import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Line, LINE } from './lines.js';
import { idOf, placeOf, type SessionPlace, sessionsDir } from './place.js';

/** A session on disk. */
export interface ListedSession {
  readonly id: string;
  readonly path: string;
  readonly place: SessionPlace;
  /** When it was last written to. */
  readonly usedAt: number;
}

export interface SessionSummary {
  readonly id: string;
  readonly created_at: string;
  readonly cwd: string;
  readonly model: string;
  readonly turns: number;
  /** The first message, by which a list names the session. */
  readonly title: string;
  readonly last_message: string;
  readonly path: string;
}

/** All sessions, the one that was used last first. */
export function listSessions(dataDir: string): ListedSession[] {
  const folders = [sessionsDir(dataDir)];
  // Year, month and day.
  for (let depth = 0; depth < 3; depth += 1) folders.push(...folders.splice(0).flatMap(foldersIn));
  return folders
    .flatMap((folder) => namesIn(folder).map((name) => ({ name, path: join(folder, name) })))
    .flatMap(({ name, path }) => {
      const id = idOf(name);
      return id === undefined ? [] : [{ id, path, place: placeOf(path, id), usedAt: statSync(path).mtimeMs }];
    })
    .toSorted((one, other) => other.usedAt - one.usedAt || (one.path < other.path ? 1 : -1));
}

/** `undefined`: it has no first line that says what it is. */
export function summaryOf({ id, path }: ListedSession): SessionSummary | undefined {
  const texts = readFileSync(path, 'utf8').split('\n');
  const meta = parse(texts[0] ?? '');
  if (meta?.type !== 'session_meta') return undefined;
  const { created_at, cwd, model } = meta;
  const turns = texts.filter((text) => text.startsWith('{"type":"user"')).length;
  return { id, created_at, cwd, model, turns, title: firstMessage(texts), last_message: lastMessage(texts), path };
}

function firstMessage(texts: readonly string[]): string {
  const first = parse(texts.find((text) => text.startsWith('{"type":"user"')) ?? '');
  return first?.type === 'user' ? first.text : '';
}

/** From the end, so that a long session is not read for one sentence. */
function lastMessage(texts: readonly string[]): string {
  for (let index = texts.length - 1; index > 0; index -= 1) {
    const line = parse(texts[index] ?? '');
    if (line?.type === 'user') return line.text;
    if (line?.type === 'part' && line.part.type === 'text' && line.part.text !== '') return line.part.text;
  }
  return '';
}

function parse(text: string): Line | undefined {
  if (text === '') return undefined;
  try {
    return LINE.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function foldersIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => /^\d+$/.test(name))
    .map((name) => join(folder, name));
}

/** None, if there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
