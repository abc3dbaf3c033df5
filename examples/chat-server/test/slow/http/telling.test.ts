import { fileURLToPath } from 'node:url';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorReply, responseEvents } from 'responses-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOfItem, type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

const SERVER = fileURLToPath(new URL('../../support/slow-mcp.mjs', import.meta.url));

let model: ScriptedModel;
let chat: ChatProcess;
/** Refusals that are left to give. */
let refusals = 0;

beforeAll(async () => {
  model = await startScriptedModel({
    delayMs: 2,
    answer: ({ input }) => {
      // Its second round calls the tool again, which waits then.
      const user = textOfItem(input.findLast(({ role }) => role === 'user')?.['content']);
      if (user.startsWith('twice') && input.at(-1)?.['type'] === 'function_call_output')
        return { events: responseEvents({ output: [{ type: 'call', name: 'slow', arguments: '{"waits":true}' }] }) };
      if (textOfItem(input.at(-1)?.['content']) !== 'busy' || refusals === 0) return undefined;
      refusals -= 1;
      return errorReply({ status: 503, message: 'Busy.', headers: { 'retry-after-ms': '5' } });
    },
  });
  const workspace = newFolder();
  const config = join(newFolder(), 'mcp.json');
  const slow = { command: process.execPath, args: [SERVER], trust: true };
  writeFileSync(config, JSON.stringify({ mcpServers: { slow } }));
  chat = await startChat({ baseURL: model.baseURL, workspace, args: ['--mcp-config', config] });
});
afterAll(() => model.close());

describe('a stream tells', () => {
  it('of each further attempt, and of the answer after it', async () => {
    refusals = 2;
    const { chunks } = await chat.send('retries', 'busy');
    expect(chunks.filter(({ type }) => type === 'data-retry').map(({ data }) => data)).toEqual([
      { attempt: 2, of: 3 },
      { attempt: 3, of: 3 },
      { attempt: 0, of: 0 },
    ]);
    expect(chunks.at(-1)?.type).toBe('finish');
    expect(JSON.stringify(await chat.session('retries'))).not.toContain('data-retry');
  });

  it('of no attempt, if the first one is answered', async () => {
    const { chunks } = await chat.send('at-once', 'hello');
    expect(chunks.filter(({ type }) => type === 'data-retry')).toEqual([]);
  });

  it('of the progress of an MCP tool, by the id of its call', async () => {
    const { chunks } = await chat.send('progress', 'call slow {}');
    const call = chunks.find(({ type }) => type === 'tool-input-available');
    const progress = chunks.find(({ type }) => type === 'data-progress');
    expect(progress?.['data']).toEqual({ toolCallId: call?.['toolCallId'], progress: 1, total: 2, message: 'half' });
    expect(progress?.['transient']).toBe(true);
  });

  it('of both inside a sub-agent, by its own chunks', async () => {
    const hand = (task: string): string => `call subAgent ${JSON.stringify({ agent: 'default', task })}`;
    const { chunks } = await chat.send('agent', hand('call slow {}'));
    const inside = chunks.flatMap(({ type, data }) =>
      type === 'data-sub-agent-chunk' ? [Reflect.get(Object(data), 'chunk') as Record<string, unknown>] : [],
    );
    expect(inside.find(({ type }) => type === 'data-progress')?.['data']).toMatchObject({ progress: 1, total: 2 });
    expect(chunks.filter(({ type }) => type === 'data-progress')).toEqual([]);
    refusals = 1;
    const tried = await chat.send('agent-retry', hand('busy'));
    const retries = tried.chunks.flatMap(({ type, data }) =>
      type === 'data-sub-agent-chunk' ? [Reflect.get(Object(data), 'chunk') as Record<string, unknown>] : [],
    );
    expect(retries.filter(({ type }) => type === 'data-retry').map(({ data }) => data)).toContainEqual({
      attempt: 2,
      of: 3,
    });
    expect(tried.chunks.filter(({ type }) => type === 'data-retry')).toEqual([]);
  });

  it('counts the rounds of a step that is stopped in its second round', async () => {
    await chat.leaveWhen(chat.message('stopped', 'twice\ncall slow {}'), (chunks) => {
      const last = chunks.findLast(({ type }) => type === 'tool-input-available');
      const heard = chunks.filter(
        ({ type, data }) =>
          type === 'data-progress' && Reflect.get(Object(data), 'toolCallId') === last?.['toolCallId'],
      );
      return JSON.stringify(last ?? {}).includes('waits') && heard.length > 0;
    });
    await chat.api('POST', '/api/chat/stopped/stop', {});
    const { messages } = await chat.idle('stopped');
    const { isAborted, usage } = messages.at(-1)?.metadata ?? {};
    expect(isAborted).toBe(true);
    // Of the second round the server may have told or not.
    expect(usage?.input).toBeGreaterThanOrEqual(10);
    expect(usage?.rounds).toBeGreaterThanOrEqual(1);
  });
});
