import type { CallMembers } from '../core/call-items.js';
import type { CarriedCall } from '../core/carrier.js';
import type { ToolOutput } from '../core/message.js';
import type { CallToolCall, RoundToolCall } from '../core/part.js';
import { asRecord } from '../util/guards.js';
import { toCarried } from './carrier-writer.js';

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

  /** What the server said of a call after it had been emitted. */
  describe(callId: string, members: CallMembers): void {
    const part = this.#held.get(callId);
    const call = this.#waiting.get(callId);
    if (part !== undefined) this.#held.set(callId, { ...part, members });
    if (call !== undefined) this.#waiting.set(callId, { ...call, members });
  }

  handOver(): CallToolCall[] {
    const held = [...this.#held.values()];
    this.#held = new Map();
    return held;
  }

  /** The same but for shells that do not say where they run: the output may still come, and then the server ran them. */
  handOverCertain(): CallToolCall[] {
    const certain = [...this.#held.values()].filter(({ item }) => !isAnybodysShell(item));
    for (const { callId } of certain) this.#held.delete(callId);
    return certain;
  }

  /** Takes a call back that turned out to be the server's; `undefined` where it has none, or handed it over already. */
  withdraw(callId: string): RoundToolCall | undefined {
    const call = this.#held.delete(callId) ? this.#waiting.get(callId) : undefined;
    if (call !== undefined) this.#waiting.delete(callId);
    return call;
  }

  isWaiting(callId: string): boolean {
    return this.#waiting.has(callId);
  }

  /** The response brought the output along; too late for a call that was handed over. */
  settle(callId: string, output: ToolOutput, round?: Pick<CarriedCall, 'inRound'>): void {
    const call = this.withdraw(callId);
    if (call !== undefined) this.settled.push({ ...toCarried(call, output), ...round });
  }
}

function isAnybodysShell(item: CallToolCall['item']): boolean {
  return item?.['type'] === 'shell_call' && asRecord(item['environment'])?.['type'] !== 'local';
}

/** The order of a round's calls, unless their parts have it already: the client's are emitted last. */
export function orderToKeep(
  order: readonly string[],
  { ours, hidden, clients }: { readonly [K in 'ours' | 'hidden' | 'clients']: readonly Identified[] },
): readonly string[] {
  const clientIds = new Set(clients.map(({ callId }) => callId));
  const ourIds = new Set([...ours, ...hidden].map(({ callId }) => callId));
  const kept = order.filter((callId) => clientIds.has(callId) || ourIds.has(callId));
  const fromClients = kept.slice(
    Math.max(
      0,
      kept.findIndex((callId) => clientIds.has(callId)),
    ),
  );
  return hidden.length === 0 && !fromClients.some((callId) => ourIds.has(callId)) ? [] : kept;
}

type Identified = Pick<RoundToolCall, 'callId'>;
