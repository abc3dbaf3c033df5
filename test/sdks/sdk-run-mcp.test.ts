import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateText, stepCountIs, streamText, type ToolSet } from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { calls, reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { itemsOfType, outputs } from '../acceptance/support/wire.js';
import { memoryProvider, startProtectedServer } from '../tools/mcp/oauth-server.js';
import { everythingPath } from '../tools/support/servers.js';
import { fullPartsOf, type Loose } from './support/sdk.js';

type Servers = NonNullable<ResponsesProviderSettings['mcpServers']>;
type Made = Parameters<typeof calls>[1];

const everything: Servers = { everything: { command: process.execPath, args: [everythingPath] } };
const upTo5 = { stopWhen: stepCountIs(5) };

/** A model that makes these calls in its first round, with the tools of real servers, run by the AI SDK. */
async function having(
  mcpServers: Servers,
  made: readonly Made[],
  settings: ResponsesProviderSettings = {},
): Promise<Rig & { readonly call: { model: Rig['model']; tools: ToolSet; prompt: string } }> {
  const steps = [calls('resp_1', ...made), says('resp_2', 'Done.')].map(reply);
  const played = await rig(steps, { backend: 'openai', mcpServers, ...settings });
  const tools: ToolSet = await played.provider.tools({ runBy: 'sdk' });
  return { ...played, call: { model: played.model, tools, prompt: 'Go.' } };
}

/** A server that logs what it is sent; gives the methods so far. */
function logging(): { readonly servers: Servers; readonly methods: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'logging-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'methods');
  const path = fileURLToPath(new URL('support/logging-server.mjs', import.meta.url));
  const methods = (): string[] => readFileSync(log, 'utf8').trim().split('\n');
  return { servers: { logging: { command: process.execPath, args: [path, log] } }, methods };
}

const isCancelled = (methods: () => string[]) =>
  expect.poll(methods, { timeout: 10_000 }).toContain('notifications/cancelled');

describe('tools of MCP servers that the AI SDK runs', () => {
  it('show the progress of a server as preliminary results, and its result once', async () => {
    const args = { duration: 0.2, steps: 4 };
    const { call, requests } = await having(everything, [['trigger-long-running-operation', args, 'call_1']]);
    const parts = (await fullPartsOf(streamText({ ...call, ...upTo5 }))).filter(({ type }) => type === 'tool-result');
    const early = parts.filter((part) => part['preliminary'] === true).map((part) => part['output']);
    expect(early).toContainEqual(expect.objectContaining({ progress: expect.any(Number) as number, total: 4 }));
    expect(parts.filter((part) => part['preliminary'] !== true)).toHaveLength(1);
    expect(outputs(requests[1])).toEqual([['call_1', expect.stringContaining('operation completed')]]);
  });

  it('give the model their images', async () => {
    const { call, requests } = await having(everything, [['get-tiny-image', {}, 'call_1']]);
    await generateText({ ...call, ...upTo5 });
    const [item] = itemsOfType(requests[1], 'function_call_output');
    expect(item?.['output']).toContainEqual(
      expect.objectContaining({
        type: 'input_image',
        image_url: expect.stringMatching(/^data:image\/png;base64,/) as string,
      }),
    );
  });

  it('ask a person by onElicitation', async () => {
    const asked: string[] = [];
    const { call, requests } = await having(everything, [['trigger-elicitation-request', {}, 'call_1']], {
      onElicitation: ({ server, callIds }) => {
        asked.push(server, ...callIds);
        return { action: 'decline' };
      },
    });
    await generateText({ ...call, ...upTo5 });
    expect(asked).toEqual(['everything', 'call_1']);
    expect(outputs(requests[1])[0]?.[1]).toMatch(/declin/i);
  });

  it('sign in, also with a token that has to be refreshed between listing and running them', async () => {
    const server = await startProtectedServer();
    const authProvider = memoryProvider(server.tokens('token-1', 'refresh-0'));
    const servers: Servers = { docs: { url: server.url, authProvider } };
    const { call, requests } = await having(servers, [['echo', { say: 'hi' }, 'call_1']]);
    server.valid = 'a token of later';
    await generateText({ ...call, ...upTo5 });
    expect(outputs(requests[1])).toEqual([['call_1', '{"say":"hi"}']]);
    expect(server.refreshes).toBe(1);
  });

  it('run once with the arguments that approve has edited', async () => {
    const { call, requests } = await having(everything, [['get-sum', { a: 2, b: 3 }, 'call_1']], {
      approve: () => ({ approved: true, arguments: { a: 20, b: 3 } }),
    });
    const { steps } = await generateText({ ...call, ...upTo5 });
    const results = steps.flatMap(({ content }) => content as unknown as Loose[]);
    expect(results.filter(({ type }) => type === 'tool-result')).toHaveLength(1);
    expect(outputs(requests[1])).toEqual([['call_1', expect.stringMatching(/"a":20[^]*23/)]]);
  });

  it('run for each of two chats, if both have a call of one id', async () => {
    const sum = (a: number): Made => ['get-sum', { a, b: 1 }, 'call_1'];
    const steps = [calls('resp_1', sum(1)), calls('resp_2', sum(2)), says('resp_3', 'Two.'), says('resp_4', 'Three.')];
    const { provider, model, requests } = await rig(steps.map(reply), { backend: 'openai', mcpServers: everything });
    const tools: ToolSet = await provider.tools({ runBy: 'sdk' });
    await Promise.all(['one', 'two'].map((prompt) => generateText({ model, tools, prompt, ...upTo5 })));
    const texts = requests.flatMap((request) => outputs(request).map(([, text]) => text));
    expect(texts.toSorted()).toEqual([expect.stringContaining('is 2'), expect.stringContaining('is 3')]);
  });

  it('are cancelled at their server by an abort of the call', async () => {
    const { servers, methods } = logging();
    const { provider, model } = await rig([reply(calls('resp_1', ['wait', {}, 'call_1']))], { mcpServers: servers });
    const tools: ToolSet = await provider.tools({ runBy: 'sdk' });
    const controller = new AbortController();
    const { fullStream } = streamText({ model, tools, prompt: 'Go.', abortSignal: controller.signal });
    for await (const part of fullStream as AsyncIterable<Loose>) if (part['preliminary'] === true) controller.abort();
    await isCancelled(methods);
  });

  it('are cancelled by a reader that leaves, also one that does not wait for the next value', async () => {
    for (const waits of [true, false]) {
      const { servers, methods } = logging();
      const { provider } = await rig([], { mcpServers: servers });
      const { wait } = await provider.tools({ runBy: 'sdk' });
      const values = wait?.execute({}, { toolCallId: 'call_1', messages: [] })[Symbol.asyncIterator]();
      expect(await values?.next()).toMatchObject({ done: false, value: { progress: 1, total: 2 } });
      const next = waits ? undefined : values?.next();
      await values?.return?.();
      if (!waits) expect(await next).toEqual({ done: true, value: undefined });
      await isCancelled(methods);
    }
  });

  it.each([false, true])('end with the provider, and run no more after it (with approve: %j)', async (approves) => {
    const { servers, methods } = logging();
    const asked: string[] = [];
    const settings: ResponsesProviderSettings = approves ? { approve: ({ tool }) => (asked.push(tool), true) } : {};
    const { provider } = await rig([], { mcpServers: servers, ...settings });
    const { wait } = await provider.tools({ runBy: 'sdk' });
    const options = { toolCallId: 'call_1', messages: [] };
    const values = wait?.execute({}, options)[Symbol.asyncIterator]();
    await values?.next();
    const rest = expect(values?.next()).rejects.toThrow(/closed/);
    await provider.close();
    await rest;
    const before = methods();
    expect(await wait?.needsApproval({}, options)).toBe(false);
    await expect(wait?.execute({}, options)[Symbol.asyncIterator]().next()).rejects.toThrow(/closed/);
    expect(methods()).toEqual(before);
    expect(asked).toHaveLength(approves ? 1 : 0);
  });
});
