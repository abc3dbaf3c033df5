import { asRecord, asString } from '../../util/guards.js';
import type { PartMetadata, PromptPart } from './part-metadata.js';

interface ReadPart {
  readonly part: PromptPart;
  readonly metadata: PartMetadata;
}

/**
 * Returns the results of a message that do not count, because they are marked as previews or a later one replaces them.
 * AI SDK 6 and 7 remove the flag of a provider's previews, and keep each as a result.
 */
export function previewsIn(read: readonly ReadPart[]): ReadonlySet<PromptPart> {
  const previews = new Set<PromptPart>();
  const answered = new Set<string>();
  for (const { part, metadata } of read.toReversed()) {
    const callId = asString(part['toolCallId']) ?? '';
    // A few servers repeat ids, so results before the call belong to another call.
    if (part['type'] === 'tool-call') answered.delete(callId);
    if (part['type'] !== 'tool-result') continue;
    if (answered.has(callId) || isPreview(part, metadata)) previews.add(part);
    else answered.add(callId);
  }
  return previews;
}

/** A UI message may keep the mark with a later error. */
export function isPreview({ output }: PromptPart, { own }: PartMetadata): boolean {
  const type = asString(asRecord(output)?.['type']) ?? '';
  return own.preliminary === true && !type.startsWith('error') && type !== 'execution-denied';
}
