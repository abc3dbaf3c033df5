import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPathGuard } from 'responses-loop-example-shared/path-guard.js';
import { without } from 'responses-loop-example-shared/sandbox.js';
import { TerminalSessions } from 'responses-loop-example-shared/terminal-sessions.js';
import { webFetch } from 'responses-loop-example-shared/web-fetch.js';
import { createCheckpoints } from '../../src/files/checkpoints.js';
import { createReadStamps } from '../../src/files/read-stamps.js';
import type { ToolExtra, ToolReport } from '../../src/tools/context.js';
import { createToolRegistry, type ToolRegistry } from '../../src/tools/registry.js';

export interface ToolSession {
  readonly base: string;
  readonly cwd: string;
  readonly outputs: string;
  readonly reports: ToolReport[];
  readonly registry: ToolRegistry;
  readonly extra: Omit<ToolExtra, 'report'>;
  /** Runs a tool as the provider would; a failure is its message. */
  run(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options?: { callId?: string; signal?: AbortSignal },
  ): Promise<unknown>;
  remove(): Promise<void>;
}

/** The tools of a session, in a workspace of its own. */
export function makeToolSession(
  env: Readonly<Record<string, string | undefined>> = process.env,
  more: Partial<ToolSession['extra']> = {},
): ToolSession {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')));
  const cwd = join(base, 'work');
  const data = join(base, 'data');
  const outputs = join(data, 'outputs');
  mkdirSync(cwd);
  const reports: ToolReport[] = [];
  const extra: Omit<ToolExtra, 'report'> = {
    guard: createPathGuard({ roots: [cwd], readable: [outputs], closed: [data] }),
    stamps: createReadStamps(),
    checkpoints: createCheckpoints(join(data, 'before')),
    outputsDir: outputs,
    protectedDirs: [data],
    sandbox: 'workspace_write',
    isolation: without('off'),
    terminals: new TerminalSessions(),
    webFetch,
    home: join(base, 'home'),
    env,
    ignore: [],
    fileToolMs: 30_000,
    ...more,
  };
  const registry = createToolRegistry({
    sessionId: 's',
    messageId: () => 'm',
    cwd,
    extra,
    onReport: (_call, report) => reports.push(report),
  });
  const tools = registry.toProviderTools();
  return {
    base,
    cwd,
    outputs,
    reports,
    registry,
    extra,
    run: async (name, input, { callId = 'call', signal = new AbortController().signal } = {}) => {
      try {
        return await tools[name]?.execute(input, { toolCallId: callId, abortSignal: signal });
      } catch (error) {
        return error instanceof Error ? `${error.name}: ${error.message}` : error;
      }
    },
    remove: async () => {
      await extra.terminals.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}
