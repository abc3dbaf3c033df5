import { reasonOf } from 'responses-loop-example-shared/error-chain.js';

import { AgentError } from '../core/agent-error.js';

/** What a log may hold of an error: neither rows nor values of statements, which are prompts and answers. */
export function loggable(error: unknown): string {
  return error instanceof AgentError ? error.message : reasonOf(error);
}
