import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, it, type TestContext } from 'vitest';
import { createToolRegistry } from '../../../src/tools/create-tool-registry.js';
import type { Toolset, ToolRegistry } from '../../../src/tools/loop-tool.js';
import type { McpStdioConfig } from '../../../src/tools/mcp/server-config.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { isAlive, until } from '../support/servers.js';

/** A small server: `pids` tells its process id, its parent's and its helper's; `wait` never answers; `deafen` closes its input. */
const server = `
  const tools = ['pids', 'wait', 'repeat', 'deafen'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const text = (text) => ({ content: [{ type: 'text', text }] });
  const answers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
    'tools/list': () => ({ tools }),
    'tools/call': ({ name, arguments: args }) => {
      if (name === 'pids') return text([process.pid, process.ppid, globalThis.helper?.pid].join());
      if (name === 'repeat') return text(args.text);
      if (name === 'deafen') return require('node:fs').closeSync(0), text('deaf');
    },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = answers[method]?.(params);
    if (id !== undefined && result !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
`;
const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000); ${server}`;
const withHelper = `globalThis.helper = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' }); ${server}`;

const run = (script: string): McpStdioConfig => ({ command: process.execPath, args: ['-e', script] });

/** As `npx` does it: a shell that waits for the server. */
const wrapped = (script: string): McpStdioConfig => ({
  command: 'sh',
  args: ['-c', '"$0" -e "$1"; true', process.execPath, script],
});

async function connect(
  { onTestFinished }: TestContext,
  config: McpStdioConfig,
): Promise<{ registry: ToolRegistry; toolset: Toolset; pids: number[] }> {
  const registry = createToolRegistry({ mcpServers: { small: config } });
  onTestFinished(() => registry.close());
  const toolset = await toolsetOf(registry);
  const pids = textOf(await callTool(toolNamed(toolset, 'pids'), {}))
    .split(',')
    .map(Number);
  return { registry, toolset, pids };
}

/** What watches over a server in case this process is killed. */
async function guardsOf(pid: number | undefined): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args=']);
  return stdout.split('\n').filter((line) => line.endsWith(`responses-loop-guard ${pid}`)).length;
}

describe.concurrent('closing a stdio server', () => {
  it('leaves neither the shell around it nor a server that ignores the end of its input and SIGTERM', async (context) => {
    const { expect } = context;
    const { registry, pids } = await connect(context, wrapped(stubborn));
    const [node = 0, shell = 0] = pids;
    expect(shell).not.toBe(process.pid);
    expect([isAlive(node), isAlive(shell), await guardsOf(shell)]).toEqual([true, true, 1]);
    await registry.close();
    expect([isAlive(node), isAlive(shell), await guardsOf(shell)]).toEqual([false, false, 0]);
  });

  it('leaves no helper that the server started', async (context) => {
    const { registry, pids } = await connect(context, run(withHelper));
    const [, , helper = 0] = pids;
    context.expect(isAlive(helper)).toBe(true);
    await registry.close();
    context.expect(isAlive(helper)).toBe(false);
  });

  it('ends a call that runs, at once, and may be asked for twice', async (context) => {
    const { expect } = context;
    const { registry, toolset, pids } = await connect(context, run(stubborn));
    const call = callTool(toolNamed(toolset, 'wait'), {});
    const closing = Promise.all([registry.close(), registry.close()]);
    const output = await call;
    expect(isAlive(pids[0] ?? 0)).toBe(true);
    expect(output).toMatchObject({ isError: true });
    await closing;
    expect(isAlive(pids[0] ?? 0)).toBe(false);
  });
});

describe.concurrent('a stdio server that ends by itself', () => {
  it('is over when its first process is killed, helpers and all, and is started anew', async (context) => {
    const { expect } = context;
    const { toolset, pids } = await connect(context, wrapped(withHelper));
    const [node = 0, shell = 0, helper = 0] = pids;
    const call = callTool(toolNamed(toolset, 'wait'), {});
    process.kill(shell, 'SIGKILL');
    expect(textOf(await call)).toMatch(/lost while "wait" ran.*may or may not have taken effect/);
    await until(() => !isAlive(node) && !isAlive(helper));
    const [again] = textOf(await callTool(toolNamed(toolset, 'pids'), {})).split(',');
    expect(Number(again)).not.toBe(node);
  });

  it('is replaced when a call does not reach it any more, whatever the tool does', async (context) => {
    const { expect } = context;
    const { toolset } = await connect(context, run(stubborn));
    expect(textOf(await callTool(toolNamed(toolset, 'deafen'), {}))).toBe('deaf');
    expect(textOf(await callTool(toolNamed(toolset, 'repeat'), { text: 'still here' }))).toBe('still here');
  });
});

describe.concurrent('a process that dies without closing', () => {
  it.for(['SIGKILL', 'SIGINT'] as const)(
    'takes its servers along, even stubborn ones (%s)',
    async (signal, context) => {
      const { expect, onTestFinished } = context;
      const module = fileURLToPath(new URL('../../../src/tools/mcp/stdio-node.ts', import.meta.url));
      const program = `
      import { openStdio } from ${JSON.stringify(module)};
      const { transport, pid } = await openStdio(${JSON.stringify(run(stubborn))});
      await transport.start();
      console.log(pid());
    `;
      const args = ['--import', 'tsx', '--input-type=module', '-e', program];
      const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => void parent.kill('SIGKILL'));
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      expect(isAlive(pid)).toBe(true);
      const exit = once(parent, 'exit');
      parent.kill(signal);
      await exit;
      await until(async () => !isAlive(pid) && (await guardsOf(pid)) === 0);
    },
  );
});

describe.concurrent('a sloppy stdio server', () => {
  it.for<[string, string]>([
    ['floods stderr', `require('node:fs').writeSync(2, 'noise '.repeat(500_000)); ${server}`],
    ['logs to stdout', `console.log('Starting…\\n\\n{"level":"info"}\\n[1'); ${server}`],
    ['is never done starting another one', `setInterval(() => console.error('tick'), 5); ${server}`],
  ])('works all the same when it %s', async ([, script], context) => {
    const { toolset } = await connect(context, run(script));
    const text = 'ü'.repeat(2_000_000);
    const answer = textOf(await callTool(toolNamed(toolset, 'repeat'), { text }, { maxToolOutputChars: Infinity }));
    context.expect(answer === text).toBe(true);
  });

  it.for<[string, McpStdioConfig, RegExp]>([
    ['dies during initialise', run('process.stdin.once("data", () => process.exit(3))'), /Connection closed/],
    ['prints its usage and ends', run('console.log("usage: duck [--quack]")'), /It wrote: usage: duck \[--quack\]/],
    ['is not there', { command: 'no-such-program' }, /no-such-program ENOENT.*on the PATH/],
    ['has no directory', { ...run(server), cwd: '/no/such/place' }, /the working directory "\/no\/such\/place" does/],
    ['may not be run', { command: '/etc' }, /EACCES/],
  ])('is a warning when it %s', async ([, config, message], { expect, onTestFinished }) => {
    const registry = createToolRegistry({ mcpServers: { small: config } });
    onTestFinished(() => registry.close());
    expect((await toolsetOf(registry)).warnings).toEqual([expect.stringMatching(message)]);
  });
});
