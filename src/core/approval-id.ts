const PREFIX = 'responses-loop:';

/** What an approval id says. It is all that a prompt gives back of a request. */
export interface ApprovalId {
  readonly callId: string;
  /** Empty where nothing is signed. */
  readonly signature: string;
}

/** The id under which the user is asked about a call of ours. */
export function formatApprovalId({ callId, signature }: ApprovalId): string {
  return `${PREFIX}${signature}:${callId}`;
}

/** `undefined` where it is the id of a server's request. */
export function parseApprovalId(approvalId: string): ApprovalId | undefined {
  if (!approvalId.startsWith(PREFIX)) return undefined;
  const [signature = '', ...callId] = approvalId.slice(PREFIX.length).split(':');
  return { signature, callId: callId.join(':') };
}
