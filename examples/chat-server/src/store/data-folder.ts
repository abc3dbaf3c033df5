import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { realFolder } from 'responses-loop-example-shared/path-guard.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { homeFolder, userFolder } from 'responses-loop-example-shared/user-folders.js';
import type { ChatStorage } from './chat-storage.js';

/** Where a server keeps its token, its secret, its grants and its chats. */
export interface DataPlace {
  /** Real path. */
  readonly folder: string;
  /** Out of reach of every tool: this folder, and those of the user's other workspaces. Real paths. */
  readonly closed: readonly string[];
}

export interface DataPlaceOptions {
  /** Real path. */
  readonly workspace: string;
  /** As `--data` names it. */
  readonly given: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const APP = 'chat-server';
/** Where earlier versions kept chats: in the workspace, where anything may come from elsewhere. */
const OLD_NAME = '.chat-server';

/**
 * Makes the folder, closed to others. Whoever brings one into a workspace would know the token and have granted what they like,
 * so it lies with the user, by the real path of the workspace.
 *
 * @throws SettingsError, if the folder is in the workspace or may be somebody else's.
 */
export async function openDataFolder({ workspace, given, env }: DataPlaceOptions): Promise<DataPlace> {
  const state = userFolder('state', APP, env);
  if (given === undefined) {
    refuseStateWithin(workspace, state, env);
    const folder = join(state, keyOf(workspace));
    await makeClosedFolder(state);
    await makeDataFolder(folder);
    await orRefusal(folder, () => writeFile(join(folder, 'workspace'), `${workspace}\n`, { mode: 0o600 }));
    return placeOf(folder, state);
  }
  const folder = resolve(given);
  refuseGivenWithin(workspace, folder);
  await makeDataFolder(folder);
  return placeOf(folder, state);
}

/** What to tell a person whose workspace has a data folder in it. */
export function oldFolderNote(workspace: string, { folder }: DataPlace): string | undefined {
  const old = join(workspace, OLD_NAME);
  if (lstatSync(old, { throwIfNoEntry: false }) === undefined) return undefined;
  return (
    `${old} is not used: anyone may have put files into a workspace. Chats are kept in ${folder}. ` +
    `Delete it; if its chats are yours, move it out of the workspace and name it with --data.`
  );
}

function placeOf(folder: string, state: string): DataPlace {
  const real = realFolder(folder);
  return { folder: real, closed: [...new Set([real, realFolder(state)])] };
}

/** Of the real path, whatever link leads to it. */
function keyOf(workspace: string): string {
  return createHash('sha256').update(workspace).digest('hex').slice(0, 32);
}

/** Whoever works in the whole home folder has the state folder in it. Tools do not reach it, and no repository is a home. */
function refuseStateWithin(workspace: string, state: string, env: DataPlaceOptions['env']): void {
  if (!isInside(state, workspace) || isInside(homeFolder(env), workspace)) return;
  throw new SettingsError(
    `The state folder ${state} is inside the workspace ${workspace}, where other people's files may be. Set ` +
      `XDG_STATE_HOME to a folder outside of it, or name one with --data.`,
  );
}

function refuseGivenWithin(workspace: string, folder: string): void {
  const real = realFolder(folder);
  const shown = real === folder ? folder : `${folder} (${real})`;
  if (isInside(real, workspace)) {
    throw new SettingsError(
      `--data: ${shown} is inside the workspace ${workspace}, where other people's files may be. Name a folder outside ` +
        `of it, or leave --data out.`,
    );
  }
  if (isInside(workspace, real)) {
    throw new SettingsError(
      `--data: the workspace ${workspace} lies in ${shown}, and no tool reaches what lies there. Name a folder beside it.`,
    );
  }
}

/** By what folders are, not by their names: on some systems one folder has several spellings. */
function isInside(path: string, folder: string): boolean {
  const wanted = identityOf(folder);
  for (let at = realFolder(path); ; at = dirname(at)) {
    if (at === folder || (wanted !== undefined && identityOf(at) === wanted)) return true;
    if (at === dirname(at)) return false;
  }
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    // It is not there yet.
    return undefined;
  }
}

async function makeDataFolder(path: string): Promise<void> {
  await makeClosedFolder(path);
  const link = (await linkIn(path)) ?? (await linkIn(join(path, 'sessions')));
  if (link !== undefined) {
    throw new SettingsError(
      `The data folder ${path} contains a link, ${link}. This server creates no links, and would write to another place through it. ` +
        `Delete it.`,
    );
  }
  await orRefusal(path, async () => {
    await mkdir(join(path, 'sessions'), { recursive: true, mode: 0o700 });
    // A home folder may be a repository.
    await writeFile(join(path, '.gitignore'), '*\n', { mode: 0o600 });
  });
}

/** Makes a folder that only this user can open, or finds that it is one. */
async function makeClosedFolder(path: string): Promise<void> {
  await orRefusal(path, async () => {
    // Not through a link, which `recursive` would follow.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) await mkdir(path, { recursive: true, mode: 0o700 });
  });
  const found = lstatSync(path);
  if (found.isSymbolicLink()) {
    throw new SettingsError(
      `The data folder ${path} is a link to ${readlinkSync(path)}. Whoever made it decides what lies there, so nothing is ` +
        `written. Delete it, or name the folder itself with --data.`,
    );
  }
  if (!found.isDirectory()) throw new SettingsError(`The data folder ${path} is not a folder. Move it away.`);
  if (process.getuid !== undefined && found.uid !== process.getuid()) {
    throw new SettingsError(
      `The data folder ${path} belongs to the user ${found.uid}, not to you (${process.getuid()}), who could change what it ` +
        `grants. Name another with --data.`,
    );
  }
  await orRefusal(path, async () => {
    const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
    if (isOpen && (await readdir(path)).length > 0) {
      throw new SettingsError(
        `The data folder ${path} was not made by this server, or others can open it: its token, its grants and its chats may be ` +
          `those of somebody who wants tools to run here. Delete it; if it is yours, "chmod 700" it, or name another with --data.`,
      );
    }
    await chmod(path, 0o700);
  });
}

async function orRefusal(path: string, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`The data folder ${path} cannot be used: ${(error as Error).message}.`);
  }
}

async function linkIn(folder: string): Promise<string | undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const link = entries.find((entry) => entry.isSymbolicLink());
  return link && join(folder, link.name);
}

/** A random text that is made once and kept. */
export async function keptSecret(path: string): Promise<string> {
  try {
    await writeFile(path, newSecret(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (Reflect.get(error as Error, 'code') !== 'EEXIST') {
      throw new SettingsError(`${path} cannot be written: ${(error as Error).message}.`);
    }
  }
  await chmod(path, 0o600);
  return checkedSecret(await readFile(path, 'utf8'), path);
}

/** The same, kept where the chats are: what people were asked is signed with it. */
export async function keptSecretIn(storage: ChatStorage, path: string): Promise<string> {
  let kept: string | Uint8Array = '';
  await storage.update(path, (current) => (kept = current ?? newSecret()));
  return checkedSecret(Buffer.from(kept).toString(), storage.nameOf(path));
}

function newSecret(): string {
  return `${randomBytes(32).toString('base64url')}\n`;
}

/** An empty file is what a full disk leaves; with it anybody would be let in. */
function checkedSecret(content: string, name: string): string {
  const secret = content.trim();
  if (secret.length >= 16) return secret;
  throw new SettingsError(`${name} has to hold 16 characters or more. Delete it, and a new one is made.`);
}
