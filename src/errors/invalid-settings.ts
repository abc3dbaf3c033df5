import { ownWords } from '../core/clean-text.js';
import { ResponsesLoopError } from './responses-loop-error.js';

/** A setting, or what a function among the settings gave, that cannot be right; the message names it and the fix. */
export function invalidSettings(message: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'invalid-settings', message: ownWords(message) });
}
