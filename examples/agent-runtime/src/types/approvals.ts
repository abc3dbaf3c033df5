/** A call that waits for a person. */
export interface ApprovalQuestion {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface ApprovalAnswer {
  readonly approvalId: string;
  readonly approved: boolean;
  /** The model reads it of a call that is denied; 500 characters at most. */
  readonly reason?: string | undefined;
}
