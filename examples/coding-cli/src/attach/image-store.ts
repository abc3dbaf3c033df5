import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOf } from 'responses-loop-example-shared/hash.js';
import type { ImageAttachment } from './attachment.js';
import type { ImageFile } from './image-file.js';

/** Keeps an image in the folder of a session, once for each content. */
export async function keepImage(dir: string, { name, mediaType, content }: ImageFile): Promise<ImageAttachment> {
  const hash = hashOf(content);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(join(dir, hash), content, { mode: 0o600 });
  return { type: 'image', name, hash, media_type: mediaType };
}

/** `undefined`: it is not there any more, or is not what it was. */
export async function loadImage(dir: string, { hash }: ImageAttachment): Promise<Buffer | undefined> {
  if (!/^[\da-f]{64}$/.test(hash)) return undefined;
  const content = await readFile(join(dir, hash)).catch(() => undefined);
  return content !== undefined && hashOf(content) === hash ? content : undefined;
}
