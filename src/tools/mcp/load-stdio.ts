import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import { errorText } from '../../util/error-text.js';
import type { McpStdioConfig } from './server-config.js';
import type { StdioHandle } from './stdio-contract.js';

/**
 * Opens a stdio server through the module that fits the runtime (the package's `imports` conditions choose it). Some
 * bundlers for Workers claim to be Node: then the module fails to load, and that is explained.
 */
export async function openStdioServer(config: McpStdioConfig): Promise<StdioHandle> {
  let module: typeof import('#mcp-stdio');
  try {
    module = await import('#mcp-stdio');
  } catch (error) {
    throw new ResponsesLoopError({
      code: 'tool-source-unavailable',
      message: `Starting processes does not work in this runtime (${errorText(error)}). Reach the server over HTTP (\`url\`) instead of \`command\`.`,
      cause: error,
    });
  }
  return module.openStdio(config);
}
