import type { ApiError } from '../errors/api-error.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { defined } from '../util/defined.js';

/** A round is about to be asked for again. */
export function announceRetry(
  { url, message, statusCode }: ApiError,
  again: { readonly round: number; readonly attempt: number; readonly delayMs: number },
  { observer, callNumber }: { readonly observer?: Observer | undefined; readonly callNumber: number },
): void {
  notify(observer, () => ({
    type: 'retry',
    callNumber,
    url,
    ...again,
    reason: message,
    ...defined({ status: statusCode }),
  }));
}
