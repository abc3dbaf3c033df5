import type { McpStdioConfig } from './server-config.js';
import type { OpenStdio, StdioHandle } from './stdio-contract.js';
import { defined } from '../../util/defined.js';

const STDERR_TAIL_CHARS = 1_000;

/**
 * Prepares a child process. Its environment holds the SDK's few harmless inherited variables and what the settings add,
 * never this process's keys; its stderr is read (a full pipe would block it) but never printed.
 */
export const openStdio: OpenStdio = async (config: McpStdioConfig): Promise<StdioHandle> => {
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const transport = new StdioClientTransport({
    command: config.command,
    args: [...(config.args ?? [])],
    env: { ...config.env },
    stderr: 'pipe',
    ...defined({ cwd: config.cwd }),
  });
  // After a failed initialise the SDK closes on its own without waiting; whoever closes later waits for the same end.
  const closeOnce = transport.close.bind(transport);
  let closing: Promise<void> | undefined;
  transport.close = () => (closing ??= closeOnce());

  let tail = '';
  const decoder = new TextDecoder();
  transport.stderr?.on('data', (chunk: Uint8Array) => {
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-STDERR_TAIL_CHARS);
  });
  return { transport, pid: () => transport.pid ?? undefined, stderrTail: () => tail.trim() };
};
