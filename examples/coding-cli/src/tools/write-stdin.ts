import { CTRL_C } from 'responses-loop-example-shared/terminal-sessions.js';
import { z } from 'zod';
import { type CodingTool, ToolError } from './context.js';
import { inTerminal, MAX_OUTPUT_TOKENS, WAIT_MARGIN_MS } from './in-terminal.js';

const YIELD_MS = 250;
const LOOK_MS = 5000;
const MAX_YIELD_MS = 300_000;
const MAX_CHARS = 20_000;

const INPUT = z.object({
  session_id: z.int().describe('As returned by exec_command.'),
  chars: z
    .string()
    .max(MAX_CHARS)
    .optional()
    .describe('To type, with \\n for Enter and \\u0003 for Ctrl-C. Empty: only looks what came.'),
  yield_time_ms: z
    .int()
    .min(1)
    .max(MAX_YIELD_MS)
    .optional()
    .describe(`How long to wait for output (default ${YIELD_MS}, for a look ${LOOK_MS}; at most ${MAX_YIELD_MS}).`),
  max_output_tokens: MAX_OUTPUT_TOKENS,
});

/** Parameters and answer as in Codex, whose models know them. */
export const writeStdin: CodingTool<typeof INPUT> = {
  name: 'write_stdin',
  description: 'Types into a terminal of exec_command, or looks what came there, and answers with the new output.',
  inputSchema: INPUT,
  readOnly: false,
  timeoutMs: MAX_YIELD_MS + WAIT_MARGIN_MS,
  title: ({ session_id: id, chars = '' }) => {
    if (chars === '') return `Look at terminal ${id}`;
    return chars === CTRL_C ? `Ctrl-C in terminal ${id}` : `Type into terminal ${id}`;
  },
  execute: ({ session_id: id, chars = '', yield_time_ms, max_output_tokens: maxTokens }, context) => {
    const verdict = context.judgeAgain?.();
    if (verdict !== undefined && verdict.outcome !== 'run')
      throw new ToolError(`Nothing was typed: the text now needs approval: ${verdict.reason}. Call it again.`);
    const yieldMs = yield_time_ms ?? (chars === '' ? LOOK_MS : YIELD_MS);
    return inTerminal(context, { yieldMs, maxTokens }, (wait) => context.extra.terminals.write(id, chars, wait));
  },
};
