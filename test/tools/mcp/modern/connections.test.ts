import { describe, expect, it } from 'vitest';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../../support/call.js';
import { isAlive, until } from '../../support/servers.js';
import type { McpServerEntry } from '../../../../src/tools/mcp/server-config.js';
import { overHttp, overStdio, registryFor, run } from './run-server.js';

type Ways = readonly (readonly [string, () => McpServerEntry | Promise<McpServerEntry>])[];

const STRICT: Ways = [
  ['a process', () => overStdio('reject')],
  ['an HTTP server', async () => ({ url: (await overHttp('reject')).url })],
];
const LENIENT: Ways = [
  ['a process that knows older ones as well', () => overStdio('serve')],
  ['an HTTP server that knows older ones as well', async () => ({ url: (await overHttp('serve')).url })],
];

describe.each([...STRICT, ...LENIENT])('revision 2026-07-28 with %s', (_name, entry) => {
  it('lists and calls tools in it', async () => {
    const registry = registryFor(await entry());
    const toolset = await toolsetOf(registry);
    expect(toolset.warnings).toEqual([]);
    expect(await run(registry, 'echo', { text: 'hi' })).toBe('echo hi');
    expect(JSON.parse(await run(registry, 'meta'))).toMatchObject({ era: 'new' });
  });
});

describe.each(STRICT)('revision 2026-07-28 with %s', (_name, entry) => {
  it('answers what the server asks a person, with the defaults of the question', async () => {
    const asked: unknown[] = [];
    const registry = registryFor(await entry(), {
      onElicitation: ({ message, callIds, server }) => {
        asked.push({ message, callIds, server });
        return { action: 'accept', content: { name: 'Ann' } };
      },
    });
    expect(await run(registry, 'ask')).toBe('hello Ann, glad');
    expect(asked).toEqual([{ message: 'Who are you?', callIds: ['call_1'], server: 's' }]);
  });

  it('fails only the call where nobody can be asked', async () => {
    const registry = registryFor(await entry());
    const output = await callTool(toolNamed(await toolsetOf(registry), 'ask'), {});
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(/elicitation/i);
    expect(await run(registry, 'echo')).toBe('echo ');
  });

  it('reports progress, which starts the idle limit anew', async () => {
    const registry = registryFor({ ...(await entry()), timeoutMs: 450 });
    const { events, observer } = recorder();
    const output = await callTool(toolNamed(await toolsetOf(registry), 'progress'), {}, { observer });
    expect(textOf(output)).toBe('done');
    // The last one may come with the result.
    expect(events.filter(({ type }) => type === 'tool-progress').length).toBeGreaterThanOrEqual(5);
  });

  it('rests the idle limit while a person thinks', async () => {
    const registry = registryFor(
      { ...(await entry()), timeoutMs: 300 },
      {
        onElicitation: async () => {
          await new Promise((resolve) => setTimeout(resolve, 900));
          return { action: 'accept', content: { name: 'Ann' } };
        },
      },
    );
    expect(await run(registry, 'ask')).toBe('hello Ann, glad');
  });

  it('ends a call that is silent too long, and tells the server', async () => {
    const registry = registryFor({ ...(await entry()), timeoutMs: 250 });
    const output = await callTool(toolNamed(await toolsetOf(registry), 'sleep'), {});
    expect(textOf(output)).toContain('250 ms (idle limit)');
    await until(async () => (await run(registry, 'cancelled')) === '1');
  });

  it('cancels an aborted call at the server', async () => {
    const registry = registryFor(await entry());
    const controller = new AbortController();
    const sleeping = callTool(toolNamed(await toolsetOf(registry), 'sleep'), {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    await expect(sleeping).rejects.toThrow();
    await until(async () => (await run(registry, 'cancelled')) === '1');
  });

  it('hears that the tools have changed', async () => {
    const registry = registryFor(await entry());
    expect([...(await toolsetOf(registry)).byWireName.keys()]).not.toContain('extra');
    // The server is asked to say so in the background.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await run(registry, 'grow');
    await until(async () => (await toolsetOf(registry)).byWireName.has('extra'));
  });

  it('never sends a write twice when the server dies over it', async () => {
    const registry = registryFor(await entry());
    const output = await callTool(toolNamed(await toolsetOf(registry), 'die-writing'), {});
    expect(textOf(output)).toMatch(/was lost while "die-writing" ran .*may or may not have taken effect/);
  });

  it('passes on the instructions of the server where they are wanted', async () => {
    const registry = registryFor({ ...(await entry()), useInstructions: true });
    expect(JSON.stringify((await toolsetOf(registry)).instructions)).toContain('Be kind.');
  });
});

describe('a process of revision 2026-07-28', () => {
  it('is started again when it died, and ends with the registry', async () => {
    const registry = registryFor(overStdio('reject'));
    await callTool(toolNamed(await toolsetOf(registry), 'die-writing'), {});
    const pid = Number(await run(registry, 'pid'));
    expect(isAlive(pid)).toBe(true);
    await registry.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('has what it wrote before it ended in the warning, without the secrets it was given', async () => {
    const script = `process.stderr.write('cannot start with ' + process.env.API_KEY + '\\n'); process.exit(1)`;
    const registry = registryFor({
      command: process.execPath,
      args: ['-e', script],
      env: { API_KEY: 'plainsecret42' },
    });
    const { warnings } = await toolsetOf(registry);
    expect(warnings.join()).toContain('cannot start with');
    expect(warnings.join()).not.toContain('plainsecret42');
  });

  it('is spoken to in it even where it needs long to start', async () => {
    const registry = registryFor(overStdio('reject', { START_MS: '5000' }));
    expect(JSON.parse(await run(registry, 'meta'))).toMatchObject({ era: 'new' });
  });
});

describe('an HTTP server of revision 2026-07-28', () => {
  it('gets no handshake and no session, and headers that say what is called', async () => {
    const server = await overHttp('reject');
    const registry = registryFor({ url: server.url, headers: { 'X-Api-Key': 'k' } });
    await run(registry, 'echo', { text: 'hi' });
    await registry.close();
    const seen = await server.seen();
    expect(seen.map(({ method }) => method)).not.toContain('DELETE');
    expect(seen.map(({ body }) => body?.method)).not.toContain('initialize');
    expect(seen.every(({ headers }) => headers['x-api-key'] === 'k' && headers['mcp-session-id'] === undefined)).toBe(
      true,
    );
    const call = seen.find(({ body }) => body?.method === 'tools/call');
    expect(call?.headers).toMatchObject({
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      'mcp-protocol-version': '2026-07-28',
    });
    expect(JSON.stringify(call?.body)).not.toContain('responses-loop/ours');
  });

  it('is listed again when the time is over that it gave for its list, and not before', async () => {
    const server = await overHttp('reject', { TTL_MS: '90000', QUIET: '1' });
    let time = 0;
    const registry = registryFor({ url: server.url }, { now: () => time });
    const lists = async () => (await server.seen()).filter(({ body }) => body?.method === 'tools/list').length;
    await toolsetOf(registry);
    time = 89_000;
    await toolsetOf(registry);
    expect(await lists()).toBe(1);
    time = 91_000;
    await toolsetOf(registry);
    expect(await lists()).toBe(2);
  });

  it('is listed once a minute where it neither says when its tools change nor how long they hold', async () => {
    const server = await overHttp('reject', { QUIET: '1' });
    let time = 0;
    const registry = registryFor({ url: server.url }, { now: () => time });
    await toolsetOf(registry);
    time = 59_000;
    await toolsetOf(registry);
    time = 61_000;
    await toolsetOf(registry);
    expect((await server.seen()).filter(({ body }) => body?.method === 'tools/list')).toHaveLength(2);
  });

  it('may send no more in one answer than the limit', async () => {
    const server = await overHttp('reject');
    const registry = registryFor({ url: server.url }, { limits: { messageBytes: 1_000_000 } });
    const output = await callTool(toolNamed(await toolsetOf(registry), 'big'), {});
    expect(textOf(output)).toContain('limits.messageBytes');
    expect(await run(registry, 'echo')).toBe('echo ');
  });
});
