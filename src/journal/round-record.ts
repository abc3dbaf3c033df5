import type { JsonObject } from '../core/json.js';
import type { RoundRequest } from '../core/round.js';
import type { RoundPart, RoundResult } from '../core/part.js';
import { fromFailure, toFailure } from './failure-record.js';
import { toPlain } from './plain.js';

type Delta = Extract<RoundPart, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;

/** Collects the parts of a round for its record: deltas joined, raw server events omitted. */
export class RoundRecorder {
  readonly #parts: RoundPart[] = [];
  /** The last part, while it can be added to. */
  #last: (Delta & { delta: string }) | undefined;

  add(batch: readonly RoundPart[]): void {
    for (const part of batch) {
      if (part.type === 'raw') continue;
      if (!isDelta(part)) {
        this.#last = undefined;
        this.#parts.push(part);
      } else if (this.#last?.type === part.type && idOf(this.#last) === idOf(part)) this.#last.delta += part.delta;
      else {
        this.#last = { ...part };
        this.#parts.push(this.#last);
      }
    }
  }

  parts(): JsonObject[] {
    return this.#parts.map((part) => toPlain(part.type === 'round-end' ? withoutError(part) : part));
  }
}

/** Restores the recorded parts. */
export function fromRecorded(parts: readonly JsonObject[]): RoundPart[] {
  return parts.map((recorded) => {
    // Read through by `readRecord`.
    const part = recorded as unknown as RoundPart;
    return part.type === 'round-end' ? { ...part, result: toResult(part.result) } : part;
  });
}

function withoutError(part: Extract<RoundPart, { type: 'round-end' }>): object {
  const { error, ...result } = part.result;
  return { ...part, result: error === undefined ? result : { ...result, error: toFailure(error) } };
}

function toResult(recorded: RoundResult): RoundResult {
  const { error, ...result } = recorded;
  // The error has the form that `toFailure` wrote.
  return error === undefined ? result : { ...result, error: fromFailure(error) };
}

function isDelta(part: RoundPart): part is Delta {
  return part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta';
}

function idOf(part: Delta): string {
  return part.type === 'tool-input-delta' ? part.callId : part.id;
}

/** The names in a record stay taken, as at its creation. */
export function claimIds(parts: readonly JsonObject[], { newIds }: RoundRequest): void {
  const ids = newIds();
  const claimed = new Set<string>();
  for (const { callId } of parts) {
    if (typeof callId !== 'string' || claimed.has(callId)) continue;
    claimed.add(callId);
    ids.claimCallId(callId, undefined, callId);
  }
}
