import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { McpElicitationRequest, OnElicitation } from '../../../src/tools/mcp/elicitation.js';
import type { OpenTransport } from '../../../src/tools/mcp/connect/open-transport.js';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../support/call.js';
import { everythingPath } from '../support/servers.js';
import { registryWith } from './helpers.js';

const everything = { command: process.execPath, args: [everythingPath] };
const form = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: 'integer', default: 42 } },
} as const;

/** A real SDK server whose tool asks a question and tells what it was answered. */
function asking(params: object = { message: 'Who are you?', requestedSchema: form }): OpenTransport {
  return async () => {
    const server = new Server({ name: 'asking', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, async () => ({
      tools: [{ name: 'ask', inputSchema: { type: 'object' } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, async () => {
      const answer = await server.elicitInput(params as never).catch((error: unknown) => ({ refused: String(error) }));
      return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
    });
    const [client, remote] = InMemoryTransport.createLinkedPair();
    await server.connect(remote);
    return { transport: client };
  };
}

async function ask(onElicitation: OnElicitation, options: { open?: OpenTransport; observer?: () => void } = {}) {
  const registry = registryWith({ docs: { url: 'http://docs/' } }, { open: asking(), onElicitation, ...options });
  const tool = toolNamed(await toolsetOf(registry), 'ask');
  return (limits: Parameters<typeof callTool>[2] = {}) => callTool(tool, {}, limits);
}

describe('questions of a server to a person', () => {
  it('reach the callback, and the answer the server, with the defaults of the schema filled in', async () => {
    const seen: McpElicitationRequest[] = [];
    const call = await ask((request) => {
      seen.push(request);
      return { action: 'accept', content: { name: 'Ada' } };
    });
    expect(JSON.parse(textOf(await call()))).toEqual({ action: 'accept', content: { name: 'Ada', size: 42 } });
    expect(seen).toEqual([
      {
        ...{ server: 'docs', message: 'Who are you?', mode: 'form', requestedSchema: form },
        ...{ callIds: ['call_1'], signal: expect.any(AbortSignal) },
      },
    ]);
  });

  it('keep what the SDK does not know, such as the pattern of a text', async () => {
    const requestedSchema = { type: 'object', properties: { seat: { type: 'string', pattern: '^[0-9]+[A-F]$' } } };
    const seen: unknown[] = [];
    const open = asking({ message: 'Which seat?', requestedSchema });
    const call = await ask((request) => (seen.push(request.requestedSchema), { action: 'decline' }), { open });
    await call();
    expect(seen).toEqual([requestedSchema]);
  });

  it('may be about a page to open', async () => {
    const seen: unknown[] = [];
    const open = asking({ mode: 'url', message: 'Pay here', url: 'https://pay.example/1', elicitationId: 'e1' });
    const call = await ask(({ mode, url, message }) => (seen.push([mode, url, message]), { action: 'accept' }), {
      open,
    });
    expect(JSON.parse(textOf(await call()))).toMatchObject({ action: 'accept' });
    expect(seen).toEqual([['url', 'https://pay.example/1', 'Pay here']]);
  });

  it.each<[string, OnElicitation, object]>([
    ['declined', () => ({ action: 'decline' }), { action: 'decline' }],
    ['cancelled', async () => ({ action: 'cancel' }), { action: 'cancel' }],
    [
      'accepted without content: the defaults are the answer',
      () => ({ action: 'accept' }),
      { action: 'accept', content: { size: 42 } },
    ],
  ])('may be %s', async (_name, onElicitation, expected) => {
    const call = await ask(onElicitation);
    expect(JSON.parse(textOf(await call()))).toEqual(expected);
  });

  it.each<[string, () => never]>([
    [
      'throws',
      () => {
        throw new Error('dialogue broke');
      },
    ],
    ['rejects', () => Promise.reject(new Error('dialogue broke')) as never],
    ['answers nothing', () => undefined as never],
    ['answers nonsense', () => ({ action: 'accept', content: 'yes' }) as never],
  ])('are cancelled when the callback %s, which the observer hears', async (_name, onElicitation) => {
    const { events, observer } = recorder();
    const registry = registryWith({ docs: { url: 'http://docs/' } }, { open: asking(), onElicitation, observer });
    const output = await callTool(toolNamed(await toolsetOf(registry), 'ask'), {});
    expect(JSON.parse(textOf(output))).toEqual({ action: 'cancel' });
    expect(events).toContainEqual({
      type: 'mcp-error',
      server: 'docs',
      message: expect.stringMatching(/"docs" asked a question, and `onElicitation` failed/),
    });
  });

  it('do not count as silence of the tool while they are pending, but as its time in all', async () => {
    // Longer than the idle limit by far; every sign of life that is missing would end the call.
    const slow: OnElicitation = async () => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return { action: 'accept', content: { name: 'slow' } };
    };
    const call = await ask(slow);
    expect(textOf(await call({ toolTimeoutMs: 100 }))).toContain('"name":"slow"');
    const endless = await ask(() => new Promise(() => {}));
    expect(textOf(await endless({ toolTimeoutMs: 30 }))).toContain('300 ms in total (total limit)');
  });

  it('are taken back when the call that asked ends', async () => {
    let taken: (signal: AbortSignal) => void = () => {};
    const asked = new Promise<AbortSignal>((resolve) => (taken = resolve));
    const call = await ask(({ signal }) => (taken(signal), new Promise(() => {})));
    const abort = new AbortController();
    const running = call({ signal: abort.signal });
    const signal = await asked;
    expect(signal.aborted).toBe(false);
    abort.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(signal.aborted).toBe(true);
  });

  it('are asked in the asynchronous context of the call that asked', async () => {
    const user = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const registry = registryWith(
      { docs: { url: 'http://docs/' } },
      {
        open: asking(),
        onElicitation: async ({ callIds }) => {
          const before = user.getStore();
          await Promise.resolve();
          seen.push([before, user.getStore(), ...callIds]);
          return { action: 'decline' };
        },
      },
    );
    for (const name of ['Ada', 'Bob']) {
      await user.run(name, async () => callTool(toolNamed(await toolsetOf(registry), 'ask'), {}, { callId: name }));
    }
    expect(seen).toEqual([
      ['Ada', 'Ada', 'Ada'],
      ['Bob', 'Bob', 'Bob'],
    ]);
  });

  it('name all calls that run, in the context of none, where it cannot be told which one asked', async () => {
    const user = new AsyncLocalStorage<string>();
    const seen: { callIds: readonly string[]; context: string | undefined }[] = [];
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const onElicitation: OnElicitation = async ({ callIds }) => {
      seen.push({ callIds: callIds.toSorted(), context: user.getStore() });
      if (seen.length === 2) answer();
      await answered;
      return { action: 'decline' };
    };
    const registry = registryWith({ docs: { url: 'http://docs/' } }, { open: asking(), onElicitation });
    const tool = await user.run('whoever connected', async () => toolNamed(await toolsetOf(registry), 'ask'));
    const run = (callId: string) => user.run(callId, () => callTool(tool, {}, { callId }));
    const outputs = await Promise.all([run('one'), run('two')]);
    expect(outputs.map((output) => output.isError)).toEqual([false, false]);
    expect(seen.at(-1)).toEqual({ callIds: ['one', 'two'], context: undefined });
  });

  it('are not invited without a callback: the server hears that nobody is there', async () => {
    const registry = registryWith({ docs: { url: 'http://docs/' } }, { open: asking() });
    const output = await callTool(toolNamed(await toolsetOf(registry), 'ask'), {});
    expect(textOf(output)).toMatch(/refused.*not support.*elicitation/i);
  });

  it('come from the real demo server, which offers its asking tools only to those who answer', async () => {
    const without = await toolsetOf(registryWith({ everything }));
    expect(without.byWireName.has('trigger-elicitation-request')).toBe(false);
    const registry = registryWith(
      { everything },
      {
        onElicitation: ({ requestedSchema }) => ({
          action: 'accept',
          content: { name: Object.keys(requestedSchema)[0] ?? '' },
        }),
      },
    );
    const toolset = await toolsetOf(registry);
    const text = textOf(await callTool(toolNamed(toolset, 'trigger-elicitation-request'), {}));
    expect(text).toContain('Name: type');
    expect(text).toContain('It was a dark and stormy night.');
    expect(text).toContain('42');
  });
});
