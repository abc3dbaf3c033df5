import type { CallMembers } from '../core/call-items.js';
import type { CarriedCall } from '../core/carrier.js';
import type { ToolCallContent, ToolOutput } from '../core/message.js';
import type { CallToolCall } from '../core/part.js';
import { runnerOf } from '../items/kinds.js';
import { toCallPart } from './call-parts.js';
import { toCarried } from './own-calls.js';

/** The calls of a round that are the client's to answer. */
export class ClientCalls {
  /** The calls that wait for the client, in order. */
  readonly waiting = new Map<string, ToolCallContent>();
  readonly #held = new Set<string>();
  /** Calls that the response itself answered. */
  readonly settled: CarriedCall[] = [];

  /** The client acts on what it is given, so it gets it once our own tools have run and the round is known to count. */
  ask(call: ToolCallContent): void {
    this.waiting.set(call.callId, call);
    this.#held.add(call.callId);
  }

  /** Adds members that the server sent after the call was emitted. */
  describe(callId: string, members: CallMembers): void {
    const call = this.waiting.get(callId);
    if (call !== undefined) this.waiting.set(callId, { ...call, members });
  }

  /** `isOver`: until the round ends, the output of a shell call without a place may come; then the server ran it. */
  handOver({ isOver }: { readonly isOver: boolean }): CallToolCall[] {
    const parts: CallToolCall[] = [];
    for (const callId of this.#held) {
      const call = this.waiting.get(callId);
      if (call === undefined || (!isOver && call.item !== undefined && runnerOf(call.item) === 'either')) continue;
      this.#held.delete(callId);
      parts.push(toCallPart(call, 'client'));
    }
    return parts;
  }

  /** Takes back a call that turned out to be the server's; `undefined` if it is unknown or was handed over. */
  withdraw(callId: string): ToolCallContent | undefined {
    const call = this.#held.delete(callId) ? this.waiting.get(callId) : undefined;
    if (call !== undefined) this.waiting.delete(callId);
    return call;
  }

  /** The response brought the output along; too late for a call that was handed over. */
  settle(callId: string, output: ToolOutput): void {
    const call = this.withdraw(callId);
    if (call !== undefined) this.settled.push(toCarried(call, output));
  }
}
