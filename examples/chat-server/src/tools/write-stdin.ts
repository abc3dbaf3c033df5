import { classifyTyped } from 'responses-loop-example-shared/typed-text.js';
import { z } from 'zod';
import { RUN, type Verdict } from '../approval/verdict.js';
import { getSessionId } from '../context/request-context.js';
import { actionName } from './action-name.js';
import type { ChatTerminals } from './chat-terminals.js';
import { answerOf, waitOf, yieldMs } from './terminal-answer.js';
import { defineTool, type ToolDef } from './tool-def.js';
import type { WorkspaceFiles } from './workspace-files.js';

const TYPE_MS = 250;
const LOOK_MS = 5000;

export function writeStdinTool({ root, guard }: WorkspaceFiles, terminals: ChatTerminals): ToolDef {
  /** What is typed may be a command, and what reads it is not known: nothing grants it. */
  const judge = (id: number, chars: string): Verdict => {
    const terminal = terminals.find(getSessionId(), id);
    // The tool itself tells which there are.
    if (terminal === undefined) return RUN;
    const { class: kind, reason } = classifyTyped(chars, terminal, { cwd: root, guard });
    if (kind === 'safe') return RUN;
    if (kind === 'forbidden') return { decision: 'refuse', reason: `This is never typed here: ${reason}.` };
    return { decision: 'ask', reason, ...(kind === 'danger' ? { isDangerous: true } : {}) };
  };
  return defineTool({
    id: 'writeStdin',
    description: 'Types into a terminal of execCommand, or looks what came there, and gives the new output.',
    inputSchema: z.object({
      actionName,
      sessionId: z.number().int().describe('As execCommand has given it.'),
      chars: z
        .string()
        .max(20_000)
        .optional()
        .describe('To type, with \\n for Enter and \\u0003 for Ctrl-C. Empty: only looks what came.'),
      yieldTimeMs: yieldMs(`${TYPE_MS}, for a look ${LOOK_MS}`),
    }),
    judge: ({ sessionId, chars = '' }) => judge(sessionId, chars),
    execute: async ({ sessionId, chars = '', yieldTimeMs }, { signal, isUnasked = false }) => {
      // A terminal of that number may have been opened since it was judged.
      if (isUnasked && judge(sessionId, chars).decision !== 'run')
        throw new Error('Nothing was typed: the text now needs approval. Call it again.');
      const wait = waitOf(yieldTimeMs ?? (chars === '' ? LOOK_MS : TYPE_MS), signal);
      const own = terminals.of(getSessionId());
      return answerOf(await own.write(sessionId, chars, wait), signal);
    },
  });
}
