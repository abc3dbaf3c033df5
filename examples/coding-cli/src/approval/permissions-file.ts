import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { lockFile } from 'responses-loop-example-shared/file-lock.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { z } from 'zod';
import { isOutdated, parseRule, printRule } from './rules.js';
import type { Rule } from './types.js';

/** What was allowed for good. It lies in the config folder: nothing inside a workspace grants anything. */
export interface PermissionsFile {
  readonly path: string;
  /** Of this workspace, oldest first. @throws SettingsError if the file or a rule in it cannot be read. */
  read(): {
    readonly rules: readonly Rule[];
    /** Those that allowed more than any rule does now: they hold no longer. */ readonly outdated: readonly string[];
  };
  /** Takes these out, so that nobody hears of them twice. */
  forget(outdated: readonly string[]): Promise<void>;
  add(rule: Rule): Promise<void>;
  /** Whether there was such a rule. */
  remove(rule: Rule): Promise<boolean>;
}

const CONTENT = z.strictObject({ version: z.literal(1), folders: z.record(z.string(), z.array(z.string())) });
type Content = z.infer<typeof CONTENT>;

export function openPermissions(configDir: string, workspace: string): PermissionsFile {
  const path = join(configDir, 'permissions.json');
  const folder = realpathSync(workspace);
  const texts = (content: Content): readonly string[] =>
    Object.hasOwn(content.folders, folder) ? (content.folders[folder] ?? []) : [];
  /** Read again under the lock, so that nothing is lost that another session allowed meanwhile. */
  const change = async (edit: (rules: readonly string[]) => readonly string[]): Promise<boolean> => {
    mkdirSync(configDir, { recursive: true, mode: 0o700 });
    const lock = await waitForLock(`${path}.lock`);
    try {
      const content = readContent(path);
      const before = texts(content);
      const after = [...edit(before)];
      write(path, { ...content, folders: { ...content.folders, [folder]: after } });
      return after.length !== before.length;
    } finally {
      lock.release();
    }
  };
  return {
    path,
    read: () => {
      const kept = texts(readContent(path));
      const rules = kept.filter((text) => !isOutdated(text)).map((text) => parseNamed(text, path));
      return { rules, outdated: kept.filter(isOutdated) };
    },
    forget: async (outdated) => {
      await change((rules) => rules.filter((text) => !outdated.includes(text)));
    },
    add: async (rule) => {
      const text = printRule(rule);
      await change((rules) => (rules.includes(text) ? rules : [...rules, text]));
    },
    remove: (rule) => change((rules) => rules.filter((text) => text !== printRule(rule))),
  };
}

function readContent(path: string): Content {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { version: 1, folders: {} };
    throw new SettingsError(`${path} cannot be read: ${messageOf(error)}`);
  }
  try {
    return CONTENT.parse(JSON.parse(text));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new SettingsError(`${path} is not a valid permissions file: ${problem}. Fix it, or delete it to start over.`);
  }
}

function write(path: string, content: Content): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

const TRIES = 100;
const RETRY_MS = 30;

async function waitForLock(path: string): ReturnType<typeof lockFile> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await lockFile(path);
    } catch (error) {
      if (tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function parseNamed(text: string, path: string): Rule {
  try {
    return parseRule(text);
  } catch (error) {
    throw new SettingsError(`${path}: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
