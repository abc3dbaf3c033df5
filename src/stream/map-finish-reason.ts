import type { FinishReason } from '../core/part.js';
import { asRecord, asString, rowOf } from '../util/guards.js';

const BY_INCOMPLETE_REASON: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
};

/** The reason an incomplete response gives, in our words. */
export function mapIncompleteReason(response: Record<string, unknown>): {
  finishReason: FinishReason;
  rawFinishReason: string;
} {
  const raw = asString(asRecord(response['incomplete_details'])?.['reason']) ?? 'incomplete';
  const known = rowOf(BY_INCOMPLETE_REASON, raw);
  return { finishReason: known ?? 'other', rawFinishReason: raw };
}
