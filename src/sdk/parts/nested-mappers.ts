import type { MetadataContext } from './metadata.js';
import type { PartOf } from './part-of.js';
import type { ApprovalRequestPart } from './stream-parts.js';
import { toNestedFinish } from './to-nested-finish.js';
import { toResultPart } from './to-result.js';

/** What V3 and V4 say alike, and V2 otherwise or not at all. */
export const NESTED_MAPPERS = {
  'hosted-result': (part: PartOf<'hosted-result'>, context: MetadataContext) =>
    toResultPart(part, part.result ?? '', context),
  'approval-request': ({ approvalId, callId }: PartOf<'approval-request'>): ApprovalRequestPart => ({
    type: 'tool-approval-request',
    approvalId,
    toolCallId: callId,
  }),
  finish: toNestedFinish,
};
