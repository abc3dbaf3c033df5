import { ResponsesLoopError } from './responses-loop-error.js';

/** The error of calls to a closed provider, and of calls that `close()` ends. */
export function providerClosed(): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'closed', message: 'The provider was closed.' });
}
