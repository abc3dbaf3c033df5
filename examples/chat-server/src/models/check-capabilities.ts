import { HttpError } from '../errors.js';
import type { ChatPart } from '../types.js';
import type { ModelEntry } from './registry.js';

/** @throws HttpError `model_cannot`, before anything is stored or sent. */
export function checkEffort(model: ModelEntry, effort: string | undefined): void {
  if (effort === undefined || model.efforts === undefined || model.efforts.includes(effort)) return;
  const known = model.efforts.length === 0 ? 'it has none' : `it has ${model.efforts.join(', ')}`;
  throw cannot(`${model.label} has no level of reasoning "${effort}": ${known}.`);
}

/** @throws HttpError `model_cannot` that names the first file the model cannot take. */
export function checkFiles(model: ModelEntry, parts: readonly ChatPart[]): void {
  for (const part of parts) {
    if (part.type !== 'file') continue;
    const isImage = part.mediaType.startsWith('image/');
    if ((isImage ? model.images : model.files) !== false) continue;
    const what = isImage ? 'images' : 'files';
    throw cannot(
      `${model.label} takes no ${what}, and this conversation has ${part.filename ?? part.mediaType}. Choose another model.`,
    );
  }
}

function cannot(message: string): HttpError {
  return new HttpError(422, 'model_cannot', message);
}
