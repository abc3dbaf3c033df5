import type { RoundPart } from '../core/part.js';

/** How long to wait for the first visible part once the first event is there, in milliseconds. */
const PATIENCE_MS = 50;

/** Parts that show nothing yet: after them a round may still be given up without anybody noticing. */
const INVISIBLE: ReadonlySet<RoundPart['type']> = new Set([
  'response',
  'raw',
  'text-start',
  'text-end',
  'reasoning-start',
  'reasoning-end',
  'tool-input-start',
  'tool-input-end',
]);

/**
 * Reads a round up to its first visible part, so that an error before it can still reject: servers report quota and
 * overload inside a 200. Gives up looking 50 ms after the first event, so that a slow thinker costs nobody time.
 */
export async function lookAhead(
  batches: AsyncGenerator<readonly RoundPart[], void, undefined>,
): Promise<AsyncIterable<readonly RoundPart[]>> {
  const seen: (readonly RoundPart[])[] = [];
  let timeout: { readonly over: Promise<'over'>; readonly cancel: () => void } | undefined;
  try {
    for (;;) {
      const pending = batches.next();
      const next = timeout === undefined ? await pending : await Promise.race([pending, timeout.over]);
      if (next === 'over') return resume(seen, pending, batches);
      if (next.done === true) return resume(seen, undefined, batches);
      seen.push(next.value);
      const end = next.value.find((part) => part.type === 'round-end');
      if (seen.flat().some((part) => !INVISIBLE.has(part.type) && part.type !== 'round-end'))
        return resume(seen, undefined, batches);
      if (end?.result.error !== undefined) throw end.result.error;
      timeout ??= startTimeout();
    }
  } catch (error) {
    // The round is given up; what is left of its body too.
    void batches.return();
    throw error;
  } finally {
    timeout?.cancel();
  }
}

async function* resume(
  seen: readonly (readonly RoundPart[])[],
  pending: Promise<IteratorResult<readonly RoundPart[], void>> | undefined,
  rest: AsyncGenerator<readonly RoundPart[], void, undefined>,
): AsyncGenerator<readonly RoundPart[], void, undefined> {
  try {
    yield* seen;
    const next = await pending;
    if (next !== undefined && next.done !== true) yield next.value;
    yield* rest;
  } finally {
    await rest.return();
  }
}

function startTimeout(): { readonly over: Promise<'over'>; readonly cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<'over'>((resolve) => {
    timer = setTimeout(() => resolve('over'), PATIENCE_MS);
  });
  return { over, cancel: () => clearTimeout(timer) };
}
