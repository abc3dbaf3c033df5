import type { RoundPart, RoundResult } from '../core/part.js';
import type { Pour } from '../core/pour.js';
import type { Redactor } from '../observe/redact.js';
import { redactError } from '../observe/redact-error.js';

/** Words of the API itself; anything else a server may have put together from what it was sent. */
const KNOWN_WORDS: ReadonlySet<string | undefined> = new Set([
  undefined,
  'completed',
  'incomplete',
  'failed',
  'cancelled',
  'in_progress',
  'queued',
  'max_output_tokens',
  'max_tokens',
  'content_filter',
  'auto',
  'default',
  'flex',
  'priority',
  'scale',
  'standard',
]);

/**
 * Takes secrets out of the end of a round: its error and the server's words beside the answer. They are asked for only where
 * there is an error or an unusual word.
 */
export function hideSecrets(pour: Pour<readonly RoundPart[]>, redactor: Redactor): Pour<readonly RoundPart[]> {
  return (take) =>
    pour((batch) => {
      const last = batch.at(-1);
      const isPlain = last?.type !== 'round-end' || isOfKnownWords(last.result);
      return take(isPlain ? batch : [...batch.slice(0, -1), { ...last, result: clean(last.result, redactor) }]);
    });
}

function isOfKnownWords({ error, rawFinishReason, serviceTier }: RoundResult): boolean {
  return error === undefined && KNOWN_WORDS.has(rawFinishReason) && KNOWN_WORDS.has(serviceTier);
}

function clean(result: RoundResult, redactor: Redactor): RoundResult {
  const { error, rawFinishReason, serviceTier } = result;
  return {
    ...result,
    ...(error !== undefined && { error: redactError(error, redactor) }),
    ...(rawFinishReason !== undefined && { rawFinishReason: redactor.text(rawFinishReason) }),
    ...(serviceTier !== undefined && { serviceTier: redactor.text(serviceTier) }),
  };
}
