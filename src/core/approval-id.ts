const PREFIX = 'responses-loop:';

/** The facts in an approval id, the only part of a request that a prompt returns. */
export interface ApprovalId {
  readonly callId: string;
  /** Empty where nothing is signed. */
  readonly signature: string;
  /** When the user was asked, in milliseconds since the epoch; only where approvals have an age limit. */
  readonly time?: number;
}

/** The id under which the user is asked about a call of ours. */
export function formatApprovalId({ callId, signature, time }: ApprovalId): string {
  return `${PREFIX}${signature}${time === undefined ? '' : `@${time}`}:${callId}`;
}

/** `undefined` where it is the id of a server's request. */
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
