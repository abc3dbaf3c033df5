import { asId, asNumber, asRecord } from '../../util/guards.js';
import type { Event } from './call-builder.js';
import type { CallView } from './model.js';
import { totalsOf } from './totals.js';

/** Finds which calls of one recorder belong to the same conversation. */
export class Conversations {
  /** The first call of the conversation, by the number of each call. */
  readonly #firsts = new Map<number, number>();
  /** Calls by the ids of their responses, and by the conversations that a server keeps. */
  readonly #ids = new Map<string, number>();

  /** Returns the number of the first call in the conversation of an event. `before`: the call that had the same messages. */
  firstOf(event: Event, before: number | undefined): number | undefined {
    const callNumber = asNumber(event['callNumber']);
    if (callNumber === undefined) return undefined;
    if (event.type === 'request') this.#begin(callNumber, asRecord(event['body']) ?? {}, before);
    const { responseId } = event;
    if (event.type === 'round-end' && typeof responseId === 'string') this.#ids.set(responseId, callNumber);
    return this.#firsts.get(callNumber);
  }

  #begin(callNumber: number, body: Readonly<Record<string, unknown>>, before: number | undefined): void {
    const { previous_response_id: previous, conversation } = body;
    const ids = [previous, conversation, asRecord(conversation)?.['id']].flatMap((id) => asId(id) ?? []);
    const earlier = before ?? ids.flatMap((id) => this.#ids.get(id) ?? []).at(0) ?? callNumber;
    if (!this.#firsts.has(callNumber)) this.#firsts.set(callNumber, this.#firsts.get(earlier) ?? callNumber);
    for (const id of ids) this.#ids.set(id, callNumber);
  }
}

/** Gives the calls of each conversation that has several what they cost together. */
export function sumConversations(calls: readonly CallView[], firsts: ReadonlyMap<CallView, number>): void {
  const conversations = new Map<string, CallView[]>();
  for (const call of calls) {
    const key = `${call.group} ${firsts.get(call) ?? call.number}`;
    const known = conversations.get(key);
    if (known === undefined) conversations.set(key, [call]);
    else known.push(call);
  }
  for (const some of conversations.values()) {
    const conversation = { calls: some.map(({ number }) => number), totals: totalsOf(...some) };
    if (some.length > 1) for (const call of some) call.conversation = conversation;
  }
}
