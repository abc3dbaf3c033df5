import { clean } from '../core/clean-text.js';
import { ResponsesLoopError } from './responses-loop-error.js';

/** The error of calls to a closed provider, and of calls that `close()` ends. */
export function providerClosed(): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'closed', message: clean`The provider was closed.` });
}
