import type { Approve } from 'responses-loop/v3';

export interface ApprovalSettings {
  /**
   * What happens to a call that is not known to be read-only: `ask` ends the turn with a question, `all` runs it, `none`
   * denies it. A function decides about every call. Default: `ask`.
   */
  readonly approve?: 'ask' | 'all' | 'none' | Approve | undefined;
  /** MCP servers whose word counts: their tools run unasked if they say that they only read. Default: none. */
  readonly trustedServers?: readonly string[] | undefined;
}

/** Decides about calls of tools. Unasked run only tools that are known to be read-only: ours, and those of trusted servers. */
export function approvalPolicy({ approve = 'ask', trustedServers = [] }: ApprovalSettings): Approve {
  if (typeof approve === 'function') return approve;
  const trusted: ReadonlySet<string> = new Set(['local', ...trustedServers]);
  return ({ source, readOnly, needsApproval }) => {
    if (approve === 'all') return true;
    if (readOnly && !needsApproval && trusted.has(source)) return true;
    return approve === 'ask'
      ? 'ask'
      : { approved: false, reason: 'this program runs only what is known to be read-only' };
  };
}
