import { parseApprovalId } from '../core/approval-id.js';
import type { Message } from '../core/message.js';
import type { RoundIds } from '../core/round.js';
import { asId } from '../util/guards.js';
import { shortHash } from '../util/hash.js';

/** Names for the parts and calls of one call to the model. */
interface CallIds {
  /** Names for one attempt at a round. An earlier attempt's names are free again, because nothing of it was shown. */
  forRound(round: number): RoundIds;
}

/**
 * Ids are unique over the rounds of a call and the steps of a conversation (user interfaces merge parts with equal ids)
 * and depend only on the response id, the slot and the place in the conversation. Servers restart their call ids
 * (`call_0`), repeat response ids (Ollama), or send none. Every claimed id stays taken, even that of an incomplete
 * call, because its input was already shown.
 */
export function createCallIds(prompt: readonly Message[]): CallIds {
  // Computed on demand, because most answers have no call and a prompt may be long.
  let taken: Set<string | undefined> | undefined;
  const takenIds = (): Set<string | undefined> => (taken ??= new Set(callIdsOf(prompt)));
  let last: { readonly round: number; readonly claimed: ReadonlySet<string> } | undefined;
  const forRound = (round: number): RoundIds => {
    if (last !== undefined && last.round !== round) for (const callId of last.claimed) takenIds().add(callId);
    const claimed = new Set<string>();
    const isFree = (callId: string): boolean => !takenIds().has(callId) && !claimed.has(callId);
    const nameOf = (responseId: string | undefined, slot: string): string =>
      `${responseId ?? 'resp'}.${prompt.length}.${round}.${slot}`;
    last = { round, claimed };
    return {
      partId: nameOf,
      claimCallId(wireCallId, responseId, slot) {
        const callId =
          wireCallId !== undefined && isFree(wireCallId) ? wireCallId : freeId(nameOf(responseId, slot), isFree);
        claimed.add(callId);
        return callId;
      },
    };
  };
  return { forRound };
}

/** Repeats until the id is free, because a server that knows the scheme can send such ids itself. */
function freeId(name: string, isFree: (callId: string) => boolean): string {
  for (let attempt = 0; ; attempt += 1) {
    const callId = `call_${shortHash(attempt === 0 ? name : `${name}.${attempt}`)}`;
    if (isFree(callId)) return callId;
  }
}

/** Outputs and answers may remain of a call that an app no longer sends. */
function callIdsOf(prompt: readonly Message[]): (string | undefined)[] {
  const ids: (string | undefined)[] = [];
  for (const message of prompt) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const content of message.content) {
      if (content.type === 'approval') ids.push(parseApprovalId(content.approvalId)?.callId);
      // Tools of the server's are shown by the ids of their items.
      else if (content.type === 'item') ids.push(asId(content.item['id']), asId(content.item['call_id']));
      else if (content.type === 'tool-call' || content.type === 'tool-result') ids.push(content.callId);
    }
  }
  return ids;
}
