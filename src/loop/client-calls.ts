import type { CallMembers } from '../core/call-items.js';
import type { CarriedCall } from '../core/carrier.js';
import type { ToolCallContent, ToolOutput } from '../core/message.js';
import type { CallToolCall } from '../core/part.js';
import { runnerOf } from '../items/kinds.js';
import { toCallPart } from './call-parts.js';
import { toCarried } from './own-calls.js';

/** The calls of a round that the client answers. */
export class ClientCalls {
  /** Calls without an output, in order. */
  readonly waiting = new Map<string, ToolCallContent>();
  readonly #held = new Set<string>();
  /** Calls with an output in the response. */
  readonly settled: CarriedCall[] = [];

  /** Keeps a call for the client until the loop's tools have run and the round is known to count. */
  ask(call: ToolCallContent): void {
    this.waiting.set(call.callId, call);
    this.#held.add(call.callId);
  }

  /** Adds members that the server sent after the call was emitted. */
  describe(callId: string, members: CallMembers): void {
    const call = this.waiting.get(callId);
    if (call !== undefined) this.waiting.set(callId, { ...call, members });
  }

  /** Hands over what it keeps. Before the round `isOver`, a call stays that an output could turn into the server's. */
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

  /** Takes a call back that the server ran. Returns `undefined` if it is unknown or the client has it already. */
  withdraw(callId: string): ToolCallContent | undefined {
    const call = this.#held.delete(callId) ? this.waiting.get(callId) : undefined;
    if (call !== undefined) this.waiting.delete(callId);
    return call;
  }

  /** Takes the output that the response has, unless the client has the call already. */
  settle(callId: string, output: ToolOutput): void {
    const call = this.withdraw(callId);
    if (call !== undefined) this.settled.push(toCarried(call, output));
  }
}
