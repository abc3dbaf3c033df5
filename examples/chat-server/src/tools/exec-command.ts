import { z } from 'zod';
import { judgeCommand } from '../approval/command-approval.js';
import { getSessionId } from '../context/request-context.js';
import { actionName } from './action-name.js';
import type { ChatTerminals } from './chat-terminals.js';
import { prepareCommand } from './prepare-command.js';
import type { ShellOptions } from './shell-command.js';
import { answerOf, waitOf, yieldMs } from './terminal-answer.js';
import { defineTool, type ToolDef } from './tool-def.js';
import type { WorkspaceFiles } from './workspace-files.js';

const DEFAULT_YIELD_MS = 10_000;

export function execCommandTool(files: WorkspaceFiles, shell: ShellOptions, terminals: ChatTerminals): ToolDef {
  const { root, guard } = files;
  return defineTool({
    id: 'execCommand',
    description:
      'Runs a command with bash in a terminal that lives on: for servers, watchers, and programs that ask. Gives the output, and a sessionId if it still runs; writeStdin goes on with it. For a command that ends by itself use shellCommand.',
    inputSchema: z.object({
      actionName,
      command: z.string().min(1).max(20_000),
      yieldTimeMs: yieldMs(`${DEFAULT_YIELD_MS}; the command continues after that`),
    }),
    judge: ({ command }) => judgeCommand(command, { root, guard, closed: shell.closed }),
    execute: async ({ command, yieldTimeMs = DEFAULT_YIELD_MS }, { signal, isUnasked = false }) => {
      const prepared = prepareCommand(command, files, { ...shell, isUnasked });
      terminals.checkRoom();
      const own = terminals.of(getSessionId());
      return answerOf(await own.start(prepared, waitOf(yieldTimeMs, signal)), signal);
    },
  });
}
