const PREFIX = 'responses-loop:';

/** The facts in an approval id, the only part of a request that a prompt returns. */
export interface ApprovalId {
  readonly callId: string;
  /** Empty if the id is not signed. */
  readonly signature: string;
  /** When the user was asked, in milliseconds since the epoch; only if approvals have an age limit. */
  readonly time?: number;
}

/** Returns the id of a question to the user about a call of ours. */
export function formatApprovalId({ callId, signature, time }: ApprovalId): string {
  return `${PREFIX}${signature}${time === undefined ? '' : `@${time}`}:${callId}`;
}

/** `undefined` if it is the id of a server's request. */
export function parseApprovalId(approvalId: string): ApprovalId | undefined {
  if (!approvalId.startsWith(PREFIX)) return undefined;
  const [seal = '', ...callId] = approvalId.slice(PREFIX.length).split(':');
  const [signature = '', time] = seal.split('@');
  return {
    callId: callId.join(':'),
    signature,
    ...(time !== undefined && /^\d{1,15}$/.test(time) ? { time: Number(time) } : {}),
  };
}
