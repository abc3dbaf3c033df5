import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolOutput } from '../../../src/core/message.js';
import { createToolRegistry } from '../../../src/tools/create-tool-registry.js';
import type { ToolRegistry } from '../../../src/tools/loop-tool.js';
import type { McpHttpConfig, McpStdioConfig } from '../../../src/tools/mcp/server-config.js';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../support/call.js';
import { everythingPath, filesystemPath, isAlive, startEverything, until } from '../support/servers.js';

/** A server that can be killed with SIGKILL and comes back at the same address. */
interface Mortal {
  readonly config: McpStdioConfig | McpHttpConfig;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

async function overStdio(): Promise<Mortal> {
  const kill = async (): Promise<void> => {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]);
    const pid = Number.parseInt(stdout.split('\n').find((line) => line.includes(everythingPath)) ?? '', 10);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
  };
  // The next connection starts it.
  return { config: { command: process.execPath, args: [everythingPath] }, kill, restart: async () => {} };
}

async function overHttp(mode: 'streamableHttp' | 'sse'): Promise<Mortal> {
  const first = await startEverything(mode);
  let current = first;
  onTestFinished(() => current.kill());
  return {
    config: { url: first.url, type: mode === 'sse' ? 'sse' : 'http' },
    kill: () => current.kill(),
    restart: async () => {
      current = await startEverything(mode, first.port);
    },
  };
}

/** The mortal server, another one beside it, and a clock that makes pauses pass at once. */
function beside(mortal: Mortal): {
  registry: ToolRegistry;
  connects: () => string[];
  passPause: () => void;
} {
  const { events, observer } = recorder();
  let now = 0;
  const registry = createToolRegistry({
    mcpServers: { mortal: mortal.config, steady: { command: process.execPath, args: [filesystemPath, '/tmp'] } },
    observer,
    now: () => now,
  });
  onTestFinished(() => registry.close());
  const connects = (): string[] => events.flatMap((event) => (event.type === 'mcp-connect' ? [event.server] : []));
  return { registry, connects, passPause: () => void (now += 60_000) };
}

async function use(registry: ToolRegistry, name: string, args: object = {}): Promise<ToolOutput> {
  return callTool(toolNamed(await toolsetOf(registry), name), args);
}

const transports: [string, () => Promise<Mortal>, lost: RegExp][] = [
  // Read-only: asked once more, of a process that was started for it.
  ['stdio', overStdio, /operation completed/],
  // Read-only, but there is nobody to ask again.
  [
    'streamable HTTP',
    () => overHttp('streamableHttp'),
    /"mortal".*not available.*(ECONNREFUSED|ECONNRESET|other side closed|terminated)/,
  ],
  ['SSE', () => overHttp('sse'), /"mortal".*not available.*(ECONNREFUSED|ECONNRESET|other side closed|terminated)/],
];

describe.each(transports)('a server killed with SIGKILL over %s', (_name, start, lost) => {
  it('during a call: the call ends, others go on meanwhile, and the next call finds it restarted', async () => {
    const mortal = await start();
    const { registry, connects, passPause } = beside(mortal);
    let started = (): void => {};
    const running = new Promise<void>((resolve) => (started = resolve));
    const long = toolNamed(await toolsetOf(registry), 'trigger-long-running-operation');
    const call = callTool(
      long,
      { duration: 1, steps: 20 },
      { observer: (event) => event.type === 'tool-progress' && started() },
    );
    await running;
    await mortal.kill();
    const [output, other] = await Promise.all([call, use(registry, 'list_allowed_directories')]);
    expect(textOf(output)).toMatch(lost);
    expect(textOf(other)).toContain('/tmp');

    await mortal.restart();
    passPause();
    expect(textOf(await use(registry, 'echo', { message: 'back' }))).toBe('Echo: back');
    expect(connects().toSorted()).toEqual(['mortal', 'mortal', 'steady']);
  });

  it('between calls: nobody notices once it is back, and its tools are listed anew', async () => {
    const mortal = await start();
    const { registry, connects, passPause } = beside(mortal);
    const toolset = await toolsetOf(registry);
    await mortal.kill();
    expect(textOf(await use(registry, 'list_allowed_directories'))).toContain('/tmp');
    await mortal.restart();
    passPause();
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), { message: 'back' }))).toBe('Echo: back');
    expect((await toolsetOf(registry)).warnings.filter((warning) => warning.includes('not available'))).toEqual([]);
    expect(connects().toSorted()).toEqual(['mortal', 'mortal', 'steady']);
  });
});
