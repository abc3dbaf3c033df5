import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { pictureTypeOf, type PictureType } from 'responses-loop-example-shared/picture-type.js';
import { withFile } from '../files/read-file.js';

export const MAX_IMAGE_BYTES = 10_000_000;

export interface ImageFile {
  readonly name: string;
  readonly mediaType: PictureType;
  readonly content: Buffer;
}

/**
 * Reads an image that a person named.
 *
 * @throws Error with a sentence for them.
 */
export async function readImage(path: string): Promise<ImageFile> {
  const real = await realpath(path).catch((error: unknown) => {
    throw new Error(`There is no image ${path}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  });
  const content = await withFile(real, async (file, size) => {
    if (size > MAX_IMAGE_BYTES) throw new Error(tooLarge(path, size));
    return file.readFile();
  });
  return { ...imageOf(path, content), name: basename(path) };
}

/**
 * The image that is given as bytes.
 *
 * @throws Error with a sentence for the person.
 */
export function imageOf(name: string, content: Buffer): ImageFile {
  if (content.length > MAX_IMAGE_BYTES) throw new Error(tooLarge(name, content.length));
  const mediaType = pictureTypeOf(content);
  if (mediaType === undefined)
    throw new Error(
      `${name} is not a PNG, JPEG, GIF or WebP image, judging by its content; other files are not sent as images.`,
    );
  return { name, mediaType, content };
}

/** `bytes`: absent if nobody has counted them. */
export function tooLarge(name: string, bytes?: number): string {
  const size = bytes === undefined ? 'is too large' : `has ${megabytes(bytes)}`;
  return `${name} ${size}; an image may have ${megabytes(MAX_IMAGE_BYTES)}.`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
