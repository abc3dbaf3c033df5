import { toCitedTextEnd } from './citations.js';
import { COMPACTION } from '../prompt/compaction.js';
import { compactionToMetadata, finishToMetadata } from './metadata.js';
import { NESTED_MAPPERS } from './nested-mappers.js';
import { toNonNullResult, toResult, toResultPart } from './to-result.js';
import { notAsked } from './to-stream-part.js';

/** What dialects have in common. Handed to them, since it is loaded with the first call, and they with the entry. */
export const WORDS = {
  citedTextEnd: toCitedTextEnd,
  compaction: COMPACTION,
  compactionToMetadata,
  finishToMetadata,
  nested: NESTED_MAPPERS,
  notAsked,
  toNonNullResult,
  toResult,
  toResultPart,
} as const;

export type Words = typeof WORDS;
