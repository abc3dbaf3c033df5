import type { CallMembers } from '../core/call-items.js';
import type { CarriedCall } from '../core/carrier.js';
import type { ToolOutput } from '../core/message.js';
import type { CallToolCall } from '../core/part.js';
import { mayTurnOutServers } from '../items/kinds.js';
import { toCallPart } from './call-parts.js';
import { type PlacedRoundCall, toCarried } from './own-calls.js';

/** The calls of a round that are the client's to answer. */
export class ClientCalls {
  /** Those that wait for the client, in order. */
  readonly waiting = new Map<string, PlacedRoundCall>();
  readonly #held = new Set<string>();
  /** Calls that the response itself answered. */
  readonly settled: CarriedCall[] = [];

  /** The client acts on what it is given, so it gets it once our own tools have run and the round is known to count. */
  ask(call: PlacedRoundCall): void {
    this.waiting.set(call.callId, call);
    this.#held.add(call.callId);
  }

  /** What the server said of a call after it had been emitted. */
  describe(callId: string, members: CallMembers): void {
    const call = this.waiting.get(callId);
    if (call !== undefined) this.waiting.set(callId, { ...call, members });
  }

  /** `isOver`: until the round is, the output of a shell that does not say where it runs may come: the server ran that one. */
  handOver({ isOver }: { readonly isOver: boolean }): CallToolCall[] {
    const parts: CallToolCall[] = [];
    for (const callId of this.#held) {
      const call = this.waiting.get(callId);
      if (call === undefined || (!isOver && mayTurnOutServers(call.item))) continue;
      this.#held.delete(callId);
      parts.push(toCallPart(call, 'client'));
    }
    return parts;
  }

  /** Takes a call back that turned out to be the server's; `undefined` where it has none, or handed it over already. */
  withdraw(callId: string): PlacedRoundCall | undefined {
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
