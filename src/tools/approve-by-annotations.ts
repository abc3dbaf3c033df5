import type { Approve, ToolApprovalRequest } from './call/approval.js';

/** The rule for a kind of tool: run it, ask for approval, or refuse it. */
export type ApprovalRule = 'allow' | 'ask' | 'deny';

/** Rules by the annotations of a tool. */
export interface ApprovalPolicy {
  /** Tools that change nothing. @default `'allow'` */
  readonly readOnly?: ApprovalRule | undefined;
  /** Tools that add but never overwrite or delete (`destructiveHint: false`). @default `'ask'` */
  readonly additive?: ApprovalRule | undefined;
  /** All others, those without annotations among them. @default `'ask'` */
  readonly destructive?: ApprovalRule | undefined;
}

/**
 * An `approve` callback that asks only where a tool's annotations make it necessary. A tool that asks for approval
 * itself is never simply allowed. Servers write their annotations themselves, so use this for servers you trust.
 * Without a callback the AI SDK's approval flow asks the user (`'ask'`), which takes a native model of AI SDK 6 or 7.
 *
 * @example
 * createResponsesProvider({
 *   mcpServers,
 *   approve: approveByAnnotations((call) => confirm(`Let ${call.source} run ${call.tool}?`)),
 * });
 */
export function approveByAnnotations(ask: Approve = () => 'ask', policy: ApprovalPolicy = {}): Approve {
  return (call) => {
    const rule = ruleFor(call, policy);
    if (rule === 'deny') return { approved: false, reason: 'tools of this kind are not allowed here' };
    return rule === 'ask' || call.needsApproval ? ask(call) : true;
  };
}

function ruleFor(call: ToolApprovalRequest, policy: ApprovalPolicy): ApprovalRule {
  if (call.readOnly) return policy.readOnly ?? 'allow';
  return (call.destructive ? policy.destructive : policy.additive) ?? 'ask';
}
