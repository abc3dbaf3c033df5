import type { RoundPart, RoundResult } from '../core/part.js';
import type { Pour } from '../core/pour.js';
import type { Redactor } from '../observe/redact.js';
import { redactError } from '../observe/redact-error.js';
import { defined } from '../util/defined.js';

/** Values and names of the API itself; anything else a server may have put together from what it was sent. */
const KNOWN_WORDS: ReadonlySet<unknown> = new Set([
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
  'input_tokens',
  'input_tokens_details',
  'output_tokens',
  'output_tokens_details',
  'total_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'prompt_tokens',
  'completion_tokens',
]);

/**
 * Takes secrets out of the end of a round: its error and what the server said beside the answer, which goes into metadata.
 * They are asked for only where there is an error or an unusual word.
 */
export function hideSecrets(pour: Pour<readonly RoundPart[]>, redactor: Redactor): Pour<readonly RoundPart[]> {
  return (take) =>
    pour((batch) => {
      const last = batch.at(-1);
      if (last?.type !== 'round-end') return take(batch);
      const result = clean(last.result, redactor);
      return take(result === last.result ? batch : [...batch.slice(0, -1), { ...last, result }]);
    });
}

function clean(result: RoundResult, redactor: Redactor): RoundResult {
  const { error, rawFinishReason, serviceTier, moderation, usage } = result;
  const said = defined({ rawFinishReason, serviceTier, moderation, usage });
  const cleanSaid = isOfKnownWords({ ...said, usage: usage.raw }) ? said : redactor.value(said);
  if (error === undefined && cleanSaid === said) return result;
  return { ...result, ...cleanSaid, ...(error !== undefined && { error: redactError(error, redactor) }) };
}

/** Values of the members; names within them too. */
function isOfKnownWords(said: object): boolean {
  return Object.values(said).every(isKnown);
}

function isKnown(value: unknown): boolean {
  if (typeof value === 'string') return KNOWN_WORDS.has(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.keys(value).every((name) => KNOWN_WORDS.has(name)) && isOfKnownWords(value);
}
