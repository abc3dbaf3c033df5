import { isAbsolute, resolve } from 'node:path';
import { pictureTypeOf } from 'responses-loop-example-shared/picture-type.js';
import type { ReadContent } from '../mcp/catalog.js';
import type { Op } from '../protocol/submissions.js';
import type { Attachment } from './attachment.js';
import { MAX_IMAGE_BYTES, readImage } from './image-file.js';
import { keepImage } from './image-store.js';

type Input = Extract<Op, { type: 'user_input' }>;
type Resource = NonNullable<Input['resources']>[number];

export interface AttachOptions {
  readonly cwd: string;
  /** Where the session keeps images. */
  readonly images: string;
  readonly model: string;
  readonly takesImages: boolean;
  readonly readResource: (resource: Resource) => Promise<ReadContent>;
  readonly onWarning: (code: string, message: string) => void;
}

/** Of each kind. */
const MOST = 20;
/** Characters of a resource. */
const MAX_RESOURCE = 50_000;

/**
 * Reads and keeps what a message brings along.
 *
 * @throws Error with a sentence for the person.
 */
export async function attach(op: Input, options: AttachOptions): Promise<readonly Attachment[]> {
  const { images = [], resources = [] } = op;
  if (images.length > 0 && !options.takesImages) throw new Error(refusal(options.model));
  if (images.length > MOST || resources.length > MOST)
    throw new Error(`A message may bring ${MOST} images or resources.`);
  const attached: Attachment[] = [];
  for (const path of images) {
    const image = await readImage(isAbsolute(path) ? path : resolve(options.cwd, path));
    attached.push(await keepImage(options.images, image));
  }
  for (const resource of resources) attached.push(...(await resourceOf(resource, options)));
  return attached;
}

async function resourceOf({ server, uri }: Resource, options: AttachOptions): Promise<readonly Attachment[]> {
  const { text, images } = await options.readResource({ server, uri });
  const pictures = images.flatMap((content) => {
    const mediaType = pictureTypeOf(content);
    const isTaken = options.takesImages && content.length <= MAX_IMAGE_BYTES;
    return mediaType !== undefined && isTaken ? [{ name: uri, mediaType, content }] : [];
  });
  const notes =
    images.length === pictures.length
      ? []
      : [`[${images.length - pictures.length} parts are not text and were left out.]`];
  if (text.length > MAX_RESOURCE) {
    notes.push(`[Cut: ${MAX_RESOURCE} of ${text.length} characters.]`);
    options.onWarning(
      'resource_cut',
      `${uri} of ${server} has ${text.length} characters: the model gets ${MAX_RESOURCE}.`,
    );
  }
  const whole = [text.slice(0, MAX_RESOURCE), ...notes].filter((part) => part !== '').join('\n');
  const kept = await Promise.all(pictures.map((picture) => keepImage(options.images, picture)));
  return [{ type: 'resource', server, uri, text: whole }, ...kept];
}

/** Why a model gets no image, and what to do. */
export function refusal(model: string): string {
  return `The model ${model} may not accept images, so none was sent. If it accepts them, set "images": "on" in config.json, or CODER_IMAGES=on.`;
}
