import { z } from 'zod';
import type { CodingTool } from './context.js';
import { prepareCommand, titleOfCommand } from './prepare-command.js';
import { inTerminal, MAX_OUTPUT_TOKENS, WAIT_MARGIN_MS } from './in-terminal.js';

const YIELD_MS = 10_000;
const MAX_YIELD_MS = 30_000;

const INPUT = z.object({
  cmd: z.string().min(1).describe('Shell command, for bash.'),
  workdir: z.string().optional().describe('Folder to run in (default: the workspace).'),
  yield_time_ms: z
    .int()
    .min(1)
    .max(MAX_YIELD_MS)
    .optional()
    .describe(
      `How long to wait for it to end (default ${YIELD_MS}, at most ${MAX_YIELD_MS}); it continues after that.`,
    ),
  max_output_tokens: MAX_OUTPUT_TOKENS,
});

/** Parameters and answer as in Codex, whose models know them. */
export const execCommand: CodingTool<typeof INPUT> = {
  name: 'exec_command',
  description:
    'Runs a command in a terminal that lives on: for servers, watchers, and programs that ask or are typed into. Answers with the output, and a session ID if it still runs; write_stdin goes on with it. For a command that ends by itself use bash.',
  inputSchema: INPUT,
  readOnly: false,
  timeoutMs: MAX_YIELD_MS + WAIT_MARGIN_MS,
  title: ({ cmd }) => titleOfCommand(cmd),
  execute: ({ cmd, workdir, yield_time_ms: yieldMs = YIELD_MS, max_output_tokens: maxTokens }, context) => {
    const command = prepareCommand(cmd, workdir, context);
    return inTerminal(context, { yieldMs, maxTokens }, (wait) => context.extra.terminals.start(command, wait));
  },
};
