import type { AbortLike } from '../util/abort.js';
import type { Emit } from './pump.js';

/** The most that is handed over at once: a body may come in one chunk, and what was held back in one batch. */
const SLICE = 256;

/**
 * Hands over a large batch as it is read, some of it at a time: a stream's queue takes the longer for each of its parts the
 * more it holds.
 */
export function inSlices<T>(emit: Emit<readonly T[]>, signal: AbortLike): Emit<readonly T[]> {
  const emitSlices = async (batch: readonly T[]): Promise<void> => {
    for (let at = 0; at < batch.length && !signal.aborted; at += SLICE) await emit(batch.slice(at, at + SLICE));
  };
  return (batch) => (batch.length > SLICE ? emitSlices(batch) : emit(batch));
}
