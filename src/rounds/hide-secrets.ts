import type { RoundPart, RoundResult } from '../core/part.js';
import type { PushStream } from '../core/push-stream.js';
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
  'current_turn',
  'all_turns',
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
  'cost_in_usd_ticks',
  'num_sources_used',
  'num_server_side_tools_used',
]);

/**
 * Takes secrets out of the end of a round: its error and what the server said beside the answer, which goes into metadata.
 * They are asked for only where there is an error or an unusual word. `forBodies` knows only what a whole response must not
 * hold: the reasoning that it seals may have eight characters in common with what the request had sealed.
 */
export function hideSecrets(
  pour: PushStream<readonly RoundPart[]>,
  redactor: Redactor,
  forBodies: Redactor,
): PushStream<readonly RoundPart[]> {
  return (take) =>
    pour((batch) => {
      const last = batch.at(-1);
      if (last?.type !== 'round-end') return take(batch);
      const result = clean(last.result, redactor, forBodies);
      return take(result === last.result ? batch : [...batch.slice(0, -1), { ...last, result }]);
    });
}

function clean(result: RoundResult, redactor: Redactor, forBodies: Redactor): RoundResult {
  const { error, rawFinishReason, responseFacts, usage, readBody } = result;
  const said = defined({ rawFinishReason, responseFacts, usage });
  const isKnownSaid = isOfKnownWords({ rawFinishReason, ...responseFacts, usage: usage.raw });
  const cleanSaid = isKnownSaid ? said : redactor.value(said);
  if (error === undefined && readBody === undefined && cleanSaid === said) return result;
  return {
    ...result,
    ...cleanSaid,
    ...(error !== undefined && { error: redactError(error, redactor) }),
    // Looked through when it is asked for: of a call's rounds only the last one is.
    ...(readBody !== undefined && { readBody: () => forBodies.value(readBody()) }),
  };
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
