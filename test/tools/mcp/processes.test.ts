import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createToolRegistry, type ToolRegistryOptions } from '../../../src/tools/create-tool-registry.js';
import type { ToolRegistry } from '../../../src/tools/loop-tool.js';
import type { McpServerConfig } from '../../../src/tools/mcp/server-config.js';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../support/call.js';
import { everythingPath, freePort, isAlive, startEverything, until } from '../support/servers.js';

const stdio: McpServerConfig = { command: process.execPath, args: [everythingPath] };

function registryFor(servers: Record<string, McpServerConfig>, options: ToolRegistryOptions = {}): ToolRegistry {
  const registry = createToolRegistry({ mcpServers: servers, ...options });
  onTestFinished(() => registry.close());
  return registry;
}

/** Process ids of the stdio servers this process started. */
async function childPids(): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]);
  return stdout
    .split('\n')
    .filter((line) => line.includes(everythingPath))
    .map((line) => Number.parseInt(line, 10));
}

async function onlyChild(): Promise<number> {
  const [pid, ...others] = await childPids();
  if (pid === undefined || others.length > 0) throw new Error(`not one child but ${others.length + 1}`);
  return pid;
}

describe('stdio processes', () => {
  it('two concurrent offers start one process, and closing leaves none', async () => {
    const registry = registryFor({ everything: stdio });
    await Promise.all([toolsetOf(registry), toolsetOf(registry)]);
    const pid = await onlyChild();
    expect(isAlive(pid)).toBe(true);
    await registry.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('closing while the process still starts leaves none either', async () => {
    // It never gets ready: one that does may have done so before its id is known here.
    const args = ['-e', 'process.stdin.resume()', '--', everythingPath];
    const registry = registryFor({ starting: { command: process.execPath, args } });
    const toolset = toolsetOf(registry);
    await until(async () => (await childPids()).length === 1);
    const pid = await onlyChild();
    await registry.close();
    await expect(toolset).rejects.toMatchObject({ code: 'closed' });
    expect(isAlive(pid)).toBe(false);
  });

  it('waits for a process that refuses to initialise and takes its time to die', async () => {
    const script = `
      process.stdin.on('data', (line) => console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, error: { code: -32603, message: 'not today' } })));
      process.stdin.on('end', () => setTimeout(() => {}, 600));
    `;
    const registry = registryFor({
      refusing: { command: process.execPath, args: ['-e', script, '--', everythingPath] },
    });
    const toolset = toolsetOf(registry);
    await until(async () => (await childPids()).length === 1);
    const pid = await onlyChild();
    expect((await toolset).warnings).toEqual([expect.stringContaining('not today')]);
    await registry.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('a process killed during a call is replaced, and the call repeated if the tool is read-only', async () => {
    const registry = registryFor({ everything: stdio });
    const toolset = await toolsetOf(registry);
    const pid = await onlyChild();
    let started = (): void => {};
    const running = new Promise<void>((resolve) => (started = resolve));
    const call = callTool(
      toolNamed(toolset, 'trigger-long-running-operation'),
      { duration: 2, steps: 20 },
      { observer: (event) => event.type === 'tool-progress' && started() },
    );
    await running;
    process.kill(pid, 'SIGKILL');
    expect(toolNamed(toolset, 'trigger-long-running-operation').tool.readOnly).toBe(true);
    expect(await call).toMatchObject({ isError: false });
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), { message: 'again' }))).toBe('Echo: again');
    expect(await onlyChild()).not.toBe(pid);
  });

  it('a process killed between calls goes unnoticed', async () => {
    const registry = registryFor({ everything: stdio });
    await toolsetOf(registry);
    const pid = await onlyChild();
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    const toolset = await toolsetOf(registry);
    expect(toolset.warnings.filter((warning) => warning.includes('not available'))).toEqual([]);
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), { message: 'x' }))).toBe('Echo: x');
  });

  it('says what a process wrote before it died, and that the program does not exist', async () => {
    const registry = registryFor({
      dying: {
        command: process.execPath,
        args: ['-e', 'console.error("no database here"); process.exit(3)', '--', '--api-key', 'sk-12345678abcdef'],
      },
      missing: { command: '/no/such/program', env: { TOKEN: 'tokentoken' } },
      tools: stdio,
    });
    const toolset = await toolsetOf(registry);
    expect(toolset.byWireName.has('echo')).toBe(true);
    const [dying, missing] = toolset.warnings;
    expect(dying).toMatch(/MCP server "dying".*It wrote: no database here.*run the command yourself/s);
    expect(dying).not.toContain('sk-12345678abcdef');
    expect(missing).toMatch(/MCP server "missing" \(command "\/no\/such\/program"\).*ENOENT.*PATH/);
  });

  it('knows where certificates are, and of one that never answers says which variables were withheld', async () => {
    vi.stubEnv('SSL_CERT_DIR', '/certificates');
    vi.stubEnv('HTTPS_PROXY', 'http://user:password@proxy.test');
    onTestFinished(() => void vi.unstubAllEnvs());
    const silent = 'console.error(process.env.SSL_CERT_DIR, process.env.HTTPS_PROXY); process.stdin.resume()';
    const servers = {
      silent: { command: process.execPath, args: ['-e', silent] },
      given: { command: process.execPath, args: ['-e', silent], env: { HTTPS_PROXY: 'http://proxy.test' } },
    };
    const { warnings } = await toolsetOf(registryFor(servers, { connectTimeoutMs: 1_000 }));
    const [withheld, given] = warnings;
    expect(withheld).toMatch(/It wrote: \/certificates undefined.*HTTPS_PROXY.* not passed on.*`env`/);
    expect(withheld).not.toContain('password');
    expect(given).toMatch(/It wrote: \/certificates/);
    expect(given).not.toMatch(/HTTPS_PROXY[^ ]* is set/);
  });

  it('aborts a long-running operation at once, and the process serves on', async () => {
    const registry = registryFor({ everything: stdio });
    const toolset = await toolsetOf(registry);
    const abort = new AbortController();
    const { events, observer } = recorder();
    const call = callTool(
      toolNamed(toolset, 'trigger-long-running-operation'),
      { duration: 60, steps: 600 },
      { signal: abort.signal, observer: (event) => (observer(event), event.type === 'tool-progress' && abort.abort()) },
    );
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(events.at(-1)).toMatchObject({ type: 'tool-end', isError: true });
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), { message: 'on' }))).toBe('Echo: on');
  });
});

describe('HTTP servers', () => {
  it('a restarted server is joined again without the caller noticing', async () => {
    const first = await startEverything('streamableHttp');
    const registry = registryFor({ everything: { url: first.url } });
    const toolset = await toolsetOf(registry);
    await first.kill();
    const second = await startEverything('streamableHttp', first.port);
    onTestFinished(() => second.kill());
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), { message: 'back' }))).toBe('Echo: back');
  });

  it.each(['streamableHttp', 'sse'] as const)(
    'a %s server killed during a call does not leave the call hanging',
    async (mode) => {
      const server = await startEverything(mode);
      onTestFinished(() => server.kill());
      const registry = registryFor({ everything: { url: server.url } });
      const toolset = await toolsetOf(registry);
      let started = (): void => {};
      const running = new Promise<void>((resolve) => (started = resolve));
      const call = callTool(
        toolNamed(toolset, 'trigger-long-running-operation'),
        { duration: 60, steps: 600 },
        { observer: (event) => event.type === 'tool-progress' && started() },
      );
      await running;
      await server.kill();
      const output = await call;
      expect(output.isError).toBe(true);
      expect(textOf(output)).toMatch(/not available.*(ECONNREFUSED|ECONNRESET|other side closed)/);
      expect((await toolsetOf(registry)).warnings.join()).toMatch(
        /not available.*(ECONNREFUSED|ECONNRESET|other side closed)/,
      );
    },
    20_000,
  );

  it('names a server where nobody listens', async () => {
    const registry = registryFor({ nobody: { url: `http://127.0.0.1:${await freePort()}/mcp` } });
    expect((await toolsetOf(registry)).warnings).toEqual([
      expect.stringMatching(/MCP server "nobody" \(URL http:\/\/127.*ECONNREFUSED.*Check that the server is running/),
    ]);
  });

  it('names a URL that is no MCP server, and says that the credentials were refused', async () => {
    const answer = (status: number) => async (): Promise<Response> => new Response('no', { status });
    const warnings = async (status: number): Promise<string> => {
      const registry = registryFor({ web: { url: 'http://example.invalid/' } }, { fetch: answer(status) });
      return (await toolsetOf(registry)).warnings.join();
    };
    expect(await warnings(404)).toMatch(/404|Check the path of the URL/);
    expect(await warnings(401)).toContain('Check the credentials in `headers`');
    expect(await warnings(503)).toContain('The server has trouble of its own');
  });
});
