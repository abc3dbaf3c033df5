import type { JsonObject } from '../core/json.js';
import { defined } from '../util/defined.js';

/** The user's answer as V3 and V4 have it in a prompt. */
export function toApprovalAnswer(item: JsonObject): JsonObject {
  const { approval_request_id: approvalId = '', approve = false, reason } = item;
  return { type: 'tool-approval-response', approvalId, approved: approve, ...defined({ reason }) };
}
