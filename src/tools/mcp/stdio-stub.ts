import { clean } from '../../core/clean-text.js';
import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import type { OpenStdio } from './stdio-contract.js';

/** The replacement for browsers, Workers and edge runtimes, which cannot start a child process. */
export const openStdio: OpenStdio = async () => {
  throw new ResponsesLoopError({
    code: 'tool-source-unavailable',
    message: clean`This runtime cannot start processes. Connect over HTTP (\`url\`) instead of \`command\`.`,
  });
};
