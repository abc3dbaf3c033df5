import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { generateText } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolRegistry, type ToolRegistryOptions } from '../../../src/tools/create-tool-registry.js';
import type { Toolset } from '../../../src/tools/loop-tool.js';
import type { McpHttpConfig, McpStdioConfig } from '../../../src/tools/mcp/server-config.js';
import { calls, reply, rig, says } from '../../acceptance/support/rig.js';
import { outputs } from '../../acceptance/support/wire.js';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../support/call.js';
import { everythingPath, startEverything, until } from '../support/servers.js';

const stdio: McpStdioConfig = { command: process.execPath, args: [everythingPath] };

async function overHttp(mode: 'streamableHttp' | 'sse'): Promise<McpHttpConfig> {
  const server = await startEverything(mode);
  onTestFinished(() => server.kill());
  return { url: server.url, type: mode === 'sse' ? 'sse' : 'http' };
}

const transports: [string, () => Promise<McpStdioConfig | McpHttpConfig>][] = [
  ['stdio', async () => stdio],
  ['streamable HTTP', () => overHttp('streamableHttp')],
  ['SSE', () => overHttp('sse')],
];

async function offered(
  everything: McpStdioConfig | McpHttpConfig,
  options: ToolRegistryOptions = {},
): Promise<Toolset> {
  const registry = createToolRegistry({ mcpServers: { everything }, ...options });
  onTestFinished(() => registry.close());
  return toolsetOf(registry);
}

describe.each(transports)('the demo server over %s', (_name, config) => {
  it('gives the model every kind of content, and reports progress', async () => {
    const toolset = await offered(await config());
    const call = (name: string, args: object = {}) => callTool(toolNamed(toolset, name), args);

    expect(textOf(await call('get-sum', { a: 2, b: 40 }))).toContain('42');
    expect((await call('get-tiny-image')).content).toContainEqual(
      expect.objectContaining({ type: 'file', mediaType: 'image/png' }),
    );
    expect((await call('get-structured-content', { location: 'Chicago' })).value).toMatchObject({
      temperature: expect.any(Number) as number,
      conditions: expect.any(String) as string,
    });
    const annotated = await call('get-annotated-message', { messageType: 'error', includeImage: true });
    expect(textOf(annotated)).toMatch(/^Error: Operation failed\n.*image\/png/);
    // Its own error text is content like any other: only `isError` makes a failure.
    expect(annotated.isError).toBe(false);
    expect(textOf(await call('get-resource-links', { count: 3 })).match(/Resource ".+": \w+:\/\//g)).toHaveLength(3);
    const reference = { resourceType: 'Text', resourceId: 1 };
    expect(textOf(await call('get-resource-reference', reference))).toContain(
      'Resource 1: This is a plaintext resource',
    );

    const zip = { name: 'ducks.gz', data: 'data:text/plain,two ducks', outputType: 'resource' };
    const zipped = (await call('gzip-file-as-resource', zip)).content.find((block) => block.type === 'file');
    expect(zipped?.mediaType).toBe('application/gzip');
    const packed = zipped?.source.type === 'data' ? zipped.source.base64 : '';
    expect(gunzipSync(Buffer.from(packed, 'base64')).toString()).toBe('two ducks');

    const { events, observer } = recorder();
    const long = toolNamed(toolset, 'trigger-long-running-operation');
    const done = await callTool(long, { duration: 0.2, steps: 4 }, { observer });
    expect(textOf(done)).toContain('4');
    const steps = events.flatMap((event) => (event.type === 'tool-progress' ? [event.progress] : []));
    // The SDK drops those that come in the same chunk as the result; on a busy machine that may be more than the last.
    expect(steps.length).toBeGreaterThan(0);
    expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
  });

  it('runs its tools inside one call of the provider', async () => {
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['echo', { message: 'duck' }, 'call_1'], ['get-sum', { a: 2, b: 3 }, 'call_2'])),
        reply(says('resp_2', 'Echoed and added.')),
      ],
      { mcpServers: { everything: await config() } },
    );
    expect((await generateText({ model, prompt: 'Try them.' })).text).toBe('Echoed and added.');
    expect(outputs(requests[1])).toEqual([
      ['call_1', 'Echo: duck'],
      ['call_2', 'The sum of 2 and 3 is 5.'],
    ]);
  });
});

const LONG = { duration: 60, steps: 600 };

async function abortDuring(toolset: Toolset): Promise<void> {
  const abort = new AbortController();
  const call = callTool(toolNamed(toolset, 'trigger-long-running-operation'), LONG, {
    signal: abort.signal,
    observer: (event) => event.type === 'tool-progress' && abort.abort(),
  });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
}

/** The id of the long call and the id that was cancelled, as they stood in the messages. */
function cancelled(messages: readonly string[]): { called: unknown; cancelled: unknown } {
  const parsed = messages.map((message) => JSON.parse(message) as Record<string, unknown>);
  const { requestId } = (parsed.find(({ method }) => method === 'notifications/cancelled')?.['params'] ?? {}) as {
    requestId?: unknown;
  };
  return { called: parsed.find(({ method }) => method === 'tools/call')?.['id'] ?? 'none', cancelled: requestId };
}

describe('an aborted operation is cancelled at the demo server', () => {
  it('over stdio, as a copy of its input shows', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'responses-loop-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const copy = join(directory, 'input.jsonl');
    const args = ['-c', 'tee "$0" | "$1" "$2"', copy, process.execPath, everythingPath];
    await abortDuring(await offered({ command: 'sh', args }));
    const messages = async () => (await readFile(copy, 'utf8')).split('\n').filter((line) => line !== '');
    await until(async () => (await messages()).some((line) => line.includes('notifications/cancelled')));
    const seen = cancelled(await messages());
    expect(seen.cancelled).toBe(seen.called);
  });

  it.each(['streamableHttp', 'sse'] as const)('over %s, which takes the notification', async (mode) => {
    const accepted: string[] = [];
    const toolset = await offered(await overHttp(mode), {
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (typeof init?.body === 'string' && response.ok) accepted.push(init.body);
        return response;
      },
    });
    await abortDuring(toolset);
    await until(() => accepted.some((body) => body.includes('notifications/cancelled')));
    const seen = cancelled(accepted);
    expect(seen.cancelled).toBe(seen.called);
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), { message: 'on' }))).toBe('Echo: on');
  });
});
