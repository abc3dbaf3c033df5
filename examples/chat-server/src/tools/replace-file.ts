import { randomUUID } from 'node:crypto';
import { link, mkdir, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashOrNull } from 'responses-loop-example-shared/file-difference.js';
import { isWithin } from 'responses-loop-example-shared/path-guard.js';
import { Serial } from '../store/serial.js';
import { codeOf, fileError, type FilePlace, isMissing, readIfThere, type WorkspaceFiles } from './workspace-files.js';

/** What a person was shown of the file that a call replaces. */
export interface ShownFile {
  readonly real: string;
  /** Of what it holds; `null`: there is none. */
  readonly hash: string | null;
  readonly bytes?: number | undefined;
}

/** The file is not as the person was shown it: it is left alone. */
export class OutdatedError extends Error {
  constructor(path: string, shown: Sized, found: Sized) {
    super(
      `${path} is not as the person was shown it: ${differenceIn(shown.bytes, found.bytes)}. Nothing was written. ` +
        'Read the file, and call the tool again: the person will be asked again.',
    );
  }
}

interface Sized {
  readonly bytes?: number | undefined;
}

function differenceIn(shown: number | undefined, found: number | undefined): string {
  if (shown === found) return 'its path leads to another file, or its content has changed';
  if (shown === undefined) return `there was no file, and now there is one of ${found} bytes`;
  if (found === undefined) return `it had ${shown} bytes, and now the file is gone`;
  return `it had ${shown} bytes, and now it has ${found}`;
}

const writes = new Serial();

/**
 * Writes beside the file, then renames: a reader sees the old file or the new one. Keeps the mode of an old one.
 *
 * @throws Error for the model; OutdatedError, if the file is not the one that was shown.
 */
export async function replaceFile(
  place: FilePlace,
  content: string | Uint8Array,
  files: WorkspaceFiles,
  shown?: ShownFile,
): Promise<void> {
  // Two calls that were shown the same file must not both find it so.
  await writes
    .run(place.real, () => replace(place, content, { ...files, shown }))
    .catch((error: unknown) => {
      throw fileError(error, place.path);
    });
}

async function replace(
  place: FilePlace,
  content: string | Uint8Array,
  { root, shown }: WorkspaceFiles & { readonly shown: ShownFile | undefined },
): Promise<void> {
  const { real } = place;
  const folder = dirname(real);
  await mkdir(folder, { recursive: true });
  const mode = await modeOf(real);
  const draft = join(folder, `.${randomUUID()}.tmp`);
  const handle = await open(draft, 'wx', mode);
  try {
    await handle.writeFile(content);
    await handle.chmod(mode);
    await handle.close();
    const isMoved = (await realpath(folder)) !== folder || !isWithin(folder, root);
    if (isMoved) throw new Error('Its folder was moved in the meantime.');
    if (shown !== undefined) await checkShown(place, shown);
    await (shown?.hash === null ? putNew(draft, place) : rename(draft, real));
  } catch (error) {
    await handle.close().catch(() => {});
    await unlink(draft).catch(() => {});
    throw error;
  }
}

async function checkShown(place: FilePlace, shown: ShownFile): Promise<void> {
  const found = await readIfThere(place);
  if (place.real !== shown.real || hashOrNull(found) !== shown.hash)
    throw new OutdatedError(place.path, shown, { bytes: found?.length });
}

/** A link takes the place of no file that has just appeared. */
async function putNew(draft: string, place: FilePlace): Promise<void> {
  try {
    await link(draft, place.real);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new OutdatedError(place.path, {}, { bytes: (await stat(place.real)).size });
    // Some file systems have no links.
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP') throw error;
    return rename(draft, place.real);
  }
  await unlink(draft);
}

async function modeOf(real: string): Promise<number> {
  try {
    const found = await stat(real);
    if (found.isDirectory()) throw new Error('There is a folder of this name.');
    return found.mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return 0o644;
    throw error;
  }
}
