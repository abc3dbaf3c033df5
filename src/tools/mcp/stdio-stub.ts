import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import type { OpenStdio } from './stdio-contract.js';

/** Stands in where no child process can be started: browsers, Workers, edge runtimes. */
export const openStdio: OpenStdio = async () => {
  throw new ResponsesLoopError({
    code: 'tool-source-unavailable',
    message: 'This runtime cannot start processes. Reach the server over HTTP (`url`) instead of `command`.',
  });
};
