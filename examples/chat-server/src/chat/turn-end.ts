import type { QueueTurnEnd } from '../queue/message-queue.js';
import { openApprovalIds } from '../store/message-log.js';
import type { TurnResult } from './orchestrator.js';

/** What a turn came to, for the messages that wait for its end. */
export function endOf({ message, failure, finishReason }: TurnResult, { aborted }: AbortSignal): QueueTurnEnd {
  if (aborted || failure !== undefined || finishReason === 'error') return 'cut';
  return message !== undefined && openApprovalIds(message).size > 0 ? 'asking' : 'well';
}
