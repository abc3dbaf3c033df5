import type { CarriedCall } from '../core/carrier.js';
import type { ToolOutput } from '../core/message.js';
import type { CallToolCall, RoundToolCall } from '../core/part.js';
import { toCarried } from './call-parts.js';

/** The calls of a round that are the client's to answer. */
export class ClientCalls {
  readonly #waiting = new Map<string, RoundToolCall>();
  /** Not handed over yet. */
  #held = new Map<string, CallToolCall>();
  /** Calls that the response itself answered. */
  readonly settled: CarriedCall[] = [];

  /** Those that wait for the client, in order. */
  get waiting(): readonly RoundToolCall[] {
    return [...this.#waiting.values()];
  }

  /** The client acts on what it is given, so it gets it once our own tools have run and the round is known to count. */
  ask(call: RoundToolCall, part: CallToolCall): void {
    this.#waiting.set(call.callId, call);
    this.#held.set(call.callId, part);
  }

  handOver(): CallToolCall[] {
    const held = [...this.#held.values()];
    this.#held = new Map();
    return held;
  }

  /** The response brought the output along; too late for a call that was handed over. */
  settle(callId: string, output: ToolOutput, round: Pick<CarriedCall, 'inRound'>): void {
    const call = this.#waiting.get(callId);
    if (call === undefined || !this.#held.delete(callId)) return;
    this.#waiting.delete(callId);
    this.settled.push({ ...toCarried(call, output), ...round });
  }
}
