import type { ProviderChoice } from '../core/round.js';
import { raceAbort } from '../util/abort.js';
import { errorText } from '../util/error-text.js';
import { withTimeout } from '../util/timers.js';
import { isSwitchedOff } from '../settings/environment.js';

/**
 * Whether the stock provider answers; read for every call. Unset: it answers if the environment variable `RESPONSES_LOOP`
 * is `off`.
 */
export type UseStock = boolean | ((call: { readonly modelId: string }) => boolean | PromiseLike<boolean>);

export interface FlagOptions {
  readonly useStock: UseStock | undefined;
  readonly modelId: string;
  readonly signal: AbortSignal | undefined;
  readonly onWarning: (message: string) => void;
}

/** Longest wait for a flag, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Reads the flag. If it cannot be read, the primary answers, because a flag must not end a chat. */
export async function readFlag({ useStock, modelId, signal, onWarning }: FlagOptions): Promise<ProviderChoice> {
  if (useStock === undefined)
    return isSwitchedOff() ? { uses: 'stock', because: 'environment' } : { uses: 'primary', because: 'default' };
  if (typeof useStock === 'boolean') return { uses: useStock ? 'stock' : 'primary', because: 'flag' };
  try {
    const asked = raceAbort<unknown>(Promise.resolve(useStock({ modelId })), signal);
    const silent = (): Error => new Error(`it did not return within ${PATIENCE_MS} ms.`);
    const says = await withTimeout(asked, PATIENCE_MS, silent);
    if (typeof says === 'boolean') return { uses: says ? 'stock' : 'primary', because: 'flag' };
    onWarning(`The function useStock returned ${JSON.stringify(says) ?? 'undefined'} instead of true or false.`);
  } catch (error) {
    if (signal?.aborted === true) throw error;
    onWarning(`The function useStock failed: ${errorText(error).replace(/\.$/, '')}.`);
  }
  return { uses: 'primary', because: 'default' };
}
