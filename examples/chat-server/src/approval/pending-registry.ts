/** What a person answered. */
export interface ApprovalAnswer {
  readonly approved: boolean;
  readonly reason?: string | undefined;
}

/** What became of an answer: used at once, kept until the question comes, or too late. */
export type AnswerOutcome = 'resolved' | 'early' | 'already_answered' | 'unknown';
