import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';

/** Makes the folder, closed to others and kept out of git. @throws SettingsError, if that cannot be. */
export async function makeDataFolder(path: string): Promise<void> {
  const target = await readlink(path).catch(() => undefined);
  if (target !== undefined) {
    throw new SettingsError(
      `The data folder ${path} is a link to ${target}. It may have come with the workspace, so nothing is written there. Delete ` +
        `it, or name the folder itself with --data.`,
    );
  }
  if (await isFromElsewhere(path)) {
    throw new SettingsError(
      `The data folder ${path} was not made by this server, or others can open it: its token, its grants and its chats may be ` +
        `those of somebody who wants tools to run here. Delete it; if it is yours, "chmod 700" it, or name another with --data.`,
    );
  }
  const link = (await linkIn(path)) ?? (await linkIn(join(path, 'sessions')));
  if (link !== undefined) {
    throw new SettingsError(
      `The data folder ${path} holds a link, ${link}. This server makes none, and what it writes there would end up elsewhere. ` +
        `Delete it.`,
    );
  }
  try {
    await mkdir(join(path, 'sessions'), { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
    await writeFile(join(path, '.gitignore'), '*\n', { mode: 0o600 });
  } catch (error) {
    throw new SettingsError(`The data folder ${path} cannot be used: ${(error as Error).message}.`);
  }
}

/** A repository can bring such a folder with it, but none that is closed to others. */
async function isFromElsewhere(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  try {
    const { mode } = await stat(path);
    return (mode & 0o077) !== 0 && (await readdir(path)).length > 0;
  } catch {
    // It is not there yet, or cannot be used, which is found out next.
    return false;
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
    await writeFile(path, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (Reflect.get(error as Error, 'code') !== 'EEXIST') {
      throw new SettingsError(`${path} cannot be written: ${(error as Error).message}.`);
    }
  }
  await chmod(path, 0o600);
  const secret = (await readFile(path, 'utf8')).trim();
  // An empty file is what a full disk leaves; with it anybody would be let in.
  if (secret.length >= 16) return secret;
  throw new SettingsError(`${path} has to hold 16 characters or more. Delete it, and a new one is made.`);
}
