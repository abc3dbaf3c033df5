import type { RoundPart } from '../core/part.js';
import { redactError } from '../observe/redact-error.js';

/** A round whose error, should it have one, repeats no secret; they are asked for only then. */
export async function* hideSecrets(
  batches: AsyncIterable<readonly RoundPart[]>,
  secrets: () => readonly string[],
): AsyncGenerator<readonly RoundPart[], void, undefined> {
  for await (const batch of batches) {
    const last = batch.at(-1);
    const failed = last?.type === 'round-end' && last.result.error !== undefined;
    yield failed ? [...batch.slice(0, -1), hide(last, secrets())] : batch;
  }
}

function hide(part: RoundPart, secrets: readonly string[]): RoundPart {
  if (part.type !== 'round-end' || part.result.error === undefined) return part;
  return { ...part, result: { ...part.result, error: redactError(part.result.error, secrets) } };
}
