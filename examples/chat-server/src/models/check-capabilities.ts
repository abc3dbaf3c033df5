import { HttpError } from '../errors.js';
import type { ChatPart } from '../types.js';
import { effortRefusal, fileRefusal } from './capabilities.js';
import type { ModelEntry } from './registry.js';

/** @throws HttpError `model_cannot`, before anything is stored or sent. */
export function checkEffort(model: ModelEntry, effort: string | undefined): void {
  const refusal = effortRefusal(model, effort);
  if (refusal !== undefined) throw cannot(refusal);
}

/** @throws HttpError `model_cannot` that names the first file the model cannot take. */
export function checkFiles(model: ModelEntry, parts: readonly ChatPart[]): void {
  const refusal = fileRefusal(model, parts);
  if (refusal !== undefined)
    throw cannot(`${refusal.why}, and this conversation has ${refusal.name}. Choose another model.`);
}

function cannot(message: string): HttpError {
  return new HttpError(422, 'model_cannot', message);
}
