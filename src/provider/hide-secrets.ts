import type { RoundPart } from '../core/part.js';
import type { Pour } from '../core/pour.js';
import { redactError } from '../observe/redact-error.js';

/** A round whose error, should it have one, repeats no secret; they are asked for only then. */
export function hideSecrets(
  pour: Pour<readonly RoundPart[]>,
  secrets: () => readonly string[],
): Pour<readonly RoundPart[]> {
  return (take) =>
    pour((batch) => {
      const last = batch.at(-1);
      const failed = last?.type === 'round-end' && last.result.error !== undefined;
      return take(failed ? [...batch.slice(0, -1), hide(last, secrets())] : batch);
    });
}

function hide(part: RoundPart, secrets: readonly string[]): RoundPart {
  if (part.type !== 'round-end' || part.result.error === undefined) return part;
  return { ...part, result: { ...part.result, error: redactError(part.result.error, secrets) } };
}
