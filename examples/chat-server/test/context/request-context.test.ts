import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type AgentFrame,
  consumeToolApprovalPayload,
  currentAgentFrame,
  getAbortSignal,
  getAssistantMessageId,
  getChatModel,
  getClientId,
  getSessionId,
  getTabId,
  getUiWriter,
  getWorkspaceId,
  popAgentFrame,
  pushAgentFrame,
  type RequestContext,
  runInAgentFrame,
  runInContext,
} from '../../src/context/request-context.js';

const context = (sessionId: string): RequestContext => ({
  sessionId,
  workspaceId: '/w',
  clientId: 'client',
  tabId: 'tab',
  writer: { write: () => {}, merge: () => {}, onError: undefined },
  signal: new AbortController().signal,
  chatModel: { id: 'default', source: 'loop', modelId: 'm', model: 'm' },
  assistantMessageId: `answer of ${sessionId}`,
  approvals: new Map([['c1', { id: 'ap1', approved: true }]]),
});
const frame = (agentId: string): AgentFrame => ({ agentId, agentType: 'shell', depth: 1, tools: [] });

describe('the context of a request', () => {
  it.each([
    getSessionId,
    getWorkspaceId,
    getClientId,
    getTabId,
    getUiWriter,
    getAbortSignal,
    getChatModel,
    getAssistantMessageId,
    currentAgentFrame,
    () => consumeToolApprovalPayload('c1'),
    () => pushAgentFrame(frame('a')),
    () => popAgentFrame(frame('a')),
  ])('is there only inside of one: %o throws and says so', (getter) => {
    expect(getter).toThrow(/outside a request/);
  });

  it('is that of its own request, however late it is asked and however many run', async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        runInContext(context(`s${n}`), async () => {
          await sleep(n % 3);
          return [getSessionId(), getAssistantMessageId(), getWorkspaceId(), getClientId(), getTabId()];
        }),
      ),
    );
    expect(seen).toEqual(seen.map((_, n) => [`s${n}`, `answer of s${n}`, '/w', 'client', 'tab']));
  });

  it('gives the answer to a call once', () => {
    runInContext(context('s'), () => {
      expect(consumeToolApprovalPayload('c1')).toEqual({ id: 'ap1', approved: true });
      expect(consumeToolApprovalPayload('c1')).toBeUndefined();
    });
  });

  it('has the frames of sub-agents side by side apart, and pops each once, also after an error', async () => {
    await runInContext(context('s'), async () => {
      const run = (id: string, fails: boolean): Promise<string | undefined> =>
        runInAgentFrame(frame(id), async () => {
          await sleep(fails ? 1 : 3);
          if (fails) throw new Error('no');
          return runInAgentFrame(frame(`${id}-inner`), async () => currentAgentFrame()?.agentId);
        });
      const results = await Promise.allSettled([run('a', false), run('b', true), run('c', false)]);
      expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
        'a-inner',
        'failed',
        'c-inner',
      ]);
      expect(currentAgentFrame()).toBeUndefined();
      const own = frame('own');
      pushAgentFrame(own);
      expect([popAgentFrame(own), popAgentFrame(own)]).toEqual([true, false]);
    });
  });
});
