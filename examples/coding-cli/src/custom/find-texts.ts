import { readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readWithin } from '../config/read-within.js';
import { hashOf } from 'responses-loop-example-shared/hash.js';
import { readDescribed } from './front-matter.js';

export type TextKind = 'command' | 'skill';

/** A command or a skill: instructions in a Markdown file. */
export interface CustomText {
  readonly kind: TextKind;
  readonly name: string;
  readonly description: string;
  readonly body: string;
  /** All of the file, and a hash of it. */
  readonly content: string;
  readonly hash: string;
  /** It lies in the folder of the user. Others come with the workspace, and are asked about. */
  readonly isTrusted: boolean;
  /** As a rule names it: from the workspace. */
  readonly path: string;
}

/** Longer files are left out: nobody would read all of them before saying yes. */
const MAX_BYTES = 32_768;
const MAX_FILES = 100;
const NAME = /^[a-zA-Z0-9][\w-]{0,63}$/;

const FOLDERS: Readonly<Record<TextKind, string>> = { command: 'commands', skill: 'skills' };
const IN_WORKSPACE = ['.coder', '.claude'];

export interface Places {
  readonly configDir: string;
  /** Real path. */
  readonly workspace: string;
}

/** All of a kind; of one name that of the user, else the first. */
export function findTexts(kind: TextKind, places: Places): readonly CustomText[] {
  const found = new Map<string, CustomText>();
  for (const text of [...ofUser(kind, places), ...ofWorkspace(kind, places)]) {
    if (!found.has(text.name)) found.set(text.name, text);
  }
  return [...found.values()];
}

function ofUser(kind: TextKind, { configDir }: Places): readonly CustomText[] {
  return readFolder(kind, { root: configDir, folder: FOLDERS[kind], isTrusted: true });
}

function ofWorkspace(kind: TextKind, { workspace }: Places): readonly CustomText[] {
  return IN_WORKSPACE.flatMap((above) =>
    readFolder(kind, { root: workspace, folder: join(above, FOLDERS[kind]), isTrusted: false }),
  );
}

interface Folder {
  readonly root: string;
  /** From there. */
  readonly folder: string;
  readonly isTrusted: boolean;
}

function readFolder(kind: TextKind, { root, folder, isTrusted }: Folder): readonly CustomText[] {
  const real = realOf(root);
  return namesIn(join(root, folder)).flatMap((entry) => {
    const name = kind === 'command' ? entry.replace(/\.md$/, '') : entry;
    if (!NAME.test(name) || (kind === 'command' && name === entry)) return [];
    const path = join(folder, kind === 'command' ? entry : join(entry, 'SKILL.md'));
    const bytes = readWithin(join(real, path), real, MAX_BYTES + 1);
    if (bytes === undefined || bytes.length > MAX_BYTES) return [];
    const content = bytes.toString();
    return [{ kind, name, content, hash: hashOf(bytes), isTrusted, path, ...readDescribed(content) }];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted().slice(0, MAX_FILES);
  } catch {
    return [];
  }
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
