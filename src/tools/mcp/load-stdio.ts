import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import { errorText } from '../../util/error-text.js';
import type { McpStdioConfig } from './server-config.js';
import type { StdioHandle } from './stdio-contract.js';

/**
 * Opens a stdio server through the module that fits the runtime (the package's `imports` conditions choose it). Some
 * bundlers for Workers claim to be Node: then this module, or what it loads before a process is started, fails to load, and
 * that is explained.
 */
export async function openStdioServer(config: McpStdioConfig): Promise<StdioHandle> {
  try {
    const { openStdio } = await import('#mcp-stdio');
    return await openStdio(config);
  } catch (error) {
    if (ResponsesLoopError.isInstance(error)) throw error;
    throw new ResponsesLoopError({
      code: 'tool-source-unavailable',
      message: `Starting processes does not work in this runtime (${errorText(error)}). Reach the server over HTTP (\`url\`) instead of \`command\`.`,
      cause: error,
    });
  }
}
