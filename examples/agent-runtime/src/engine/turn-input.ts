import type { ApprovalAnswer } from '../types/approvals.js';
import type { MessageOptions, SendOptions } from '../types/driver.js';
import type { ContentBlock } from '../types/messages.js';

/** What a turn begins with, as JSON: whichever instance runs it reads it. */
export type TurnInput =
  | {
      readonly content: string | readonly ContentBlock[];
      readonly options: Omit<MessageOptions, 'signal'>;
    }
  | { readonly answers: readonly ApprovalAnswer[]; readonly options: Omit<SendOptions, 'signal'> };
