import type { CarriedCall } from '../core/carrier.js';
import type { CallFinish, CallPart } from '../core/part.js';
import { afterTools } from '../errors/after-tools.js';
import { abortError } from '../util/abort.js';
import type { EngineCall } from './create-engine.js';

/** A whole call: generate is the stream, collected. */
export interface CollectedCall {
  readonly parts: readonly CallPart[];
  readonly finish: CallFinish;
}

/**
 * Reads a call to its end. Rejects with the call's error; once a tool has run, that error is not retryable and holds
 * what the tools returned, since asking again would run them again.
 */
export async function collectParts(call: EngineCall, signal: AbortSignal | undefined): Promise<CollectedCall> {
  const parts: CallPart[] = [];
  for (;;) {
    const batch = await call.pump.next();
    if (batch === undefined) break;
    parts.push(...batch);
  }
  const finish = parts.at(-1);
  if (finish?.type !== 'finish') throw signal === undefined ? new Error('The call ended without an answer.') : abortError(signal);
  const failure = parts.find((part) => part.type === 'error');
  if (failure === undefined) return { parts, finish };
  throw afterTools(failure.error, completedCalls(parts));
}

function completedCalls(parts: readonly CallPart[]): CarriedCall[] {
  const inputs = new Map(parts.flatMap((part) => (part.type === 'tool-call' ? [[part.callId, part.rawInput ?? part.input] as const] : [])));
  return parts.flatMap((part): readonly CarriedCall[] => {
    if (part.type === 'tool-result') {
      const { callId, name, output } = part;
      return [{ callId, name, arguments: inputs.get(callId) ?? '', output }];
    }
    return part.type === 'text-end' || part.type === 'reasoning-end' ? (part.facts?.carrier?.calls ?? []) : [];
  });
}
