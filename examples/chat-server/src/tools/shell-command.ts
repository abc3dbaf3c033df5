import { runCommand } from 'responses-loop-example-shared/run-command.js';
import type { Sandbox } from 'responses-loop-example-shared/sandbox.js';
import { z } from 'zod';
import { judgeCommand } from '../approval/command-approval.js';
import { actionName } from './action-name.js';
import { prepareCommand } from './prepare-command.js';
import { defineTool, type ToolDef } from './tool-def.js';
import type { WorkspaceFiles } from './workspace-files.js';

export interface ShellOptions {
  /** The server's own; commands get it without keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders that no grant reaches. Real paths. */
  readonly closed: readonly string[];
  readonly sandbox?: Sandbox | undefined;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const MAX_TIMEOUT_MS = 600_000;

export function shellCommandTool(files: WorkspaceFiles, { env, closed, sandbox }: ShellOptions): ToolDef {
  const { root, guard } = files;
  return defineTool({
    id: 'shellCommand',
    description: `Runs a command with bash in the workspace, without a terminal or input. Commands that only read run at once; the person is asked about others.${
      sandbox?.isOn === true ? ` Commands run in a sandbox (${sandbox.label}).` : ''
    }`,
    inputSchema: z.object({
      actionName,
      command: z.string().min(1).max(20_000),
      timeoutMs: z.number().int().min(1).max(MAX_TIMEOUT_MS).optional().describe(`Default: ${DEFAULT_TIMEOUT_MS}.`),
    }),
    judge: ({ command }) => judgeCommand(command, { root, guard, closed }),
    execute: async ({ command, timeoutMs = DEFAULT_TIMEOUT_MS }, { signal, isUnasked = false }) => {
      const result = await runCommand({
        ...prepareCommand(command, files, { env, sandbox, isUnasked }),
        timeoutMs,
        signal,
      });
      const { exitCode, output, ended, isTruncated } = result;
      const facts = { exitCode, output, ...(isTruncated ? { isTruncated } : {}) };
      if (ended === 'abort') return { ok: false, error: 'It was stopped.', ...facts };
      if (ended === 'timeout')
        return { ok: false, error: `It took longer than ${timeoutMs} ms and was ended.`, ...facts };
      return exitCode === 0
        ? { ok: true, ...facts }
        : { ok: false, error: `It ended with exit code ${exitCode}.`, ...facts };
    },
  });
}
