import type { CallFinish, CallPart } from '../../core/part.js';
import { abortError } from '../../util/abort.js';
import type { EngineCall } from './engine-call.js';

/** A whole call: generate is the stream, collected. */
export interface CollectedCall {
  readonly parts: readonly CallPart[];
  readonly finish: CallFinish;
}

/** Reads a call to its end. Rejects with the error that the stream would have told. */
export async function collectParts(call: EngineCall, signal: AbortSignal | undefined): Promise<CollectedCall> {
  const parts: CallPart[] = [];
  const places = new Map<string, number>();
  const take = (batch: readonly CallPart[]): boolean => {
    for (const part of batch) {
      if (part.type === 'tool-input-start') places.set(part.callId, parts.length);
      // The client gets its calls at the end; in what was not streamed they stand where the server has them.
      const place = part.type === 'tool-call' ? places.get(part.callId) : undefined;
      if (place === undefined) parts.push(part);
      else parts[place] = part;
    }
    return true;
  };
  await call.pump.pour({ take, end() {} });
  const finish = parts.at(-1);
  if (finish?.type !== 'finish')
    throw signal === undefined ? new Error('The call ended without an answer.') : abortError(signal);
  const failure = parts.find((part) => part.type === 'error');
  if (failure !== undefined) throw failure.error;
  return { parts, finish };
}
