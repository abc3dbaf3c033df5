import { ResponsesLoopError } from './responses-loop-error.js';

/** What a provider that was closed answers, and ends its calls with. */
export function providerClosed(): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'closed', message: 'The provider was closed.' });
}
