import { executionAsyncId } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type AgentFrame,
  bindToContext,
  consumeToolApprovalPayload,
  currentAgentFrame,
  getAbortSignal,
  getAssistantMessageId,
  getChatModel,
  getSessionId,
  getUiWriter,
  getWorkspaceId,
  popAgentFrame,
  pushAgentFrame,
  type RequestContext,
  runInAgentFrame,
  runInContext,
} from '../../src/context/request-context.js';
import { chatModelOf } from '../support/chat-model.js';
import { KEPT } from '../support/in-turn.js';

const context = (sessionId: string): RequestContext => ({
  sessionId,
  workspaceId: '/w',
  writer: { write: () => {}, merge: () => {}, onError: undefined },
  signal: new AbortController().signal,
  chatModel: chatModelOf('m'),
  message: {
    ...KEPT,
    messageId: `answer of ${sessionId}`,
    approvals: new Map([['c1', { id: 'ap1', approved: true }]]),
  },
});
const frame = (agentId: string): AgentFrame => ({ agentId, agentType: 'shell', depth: 1, tools: [], message: KEPT });

const NODE_MAJOR = Number.parseInt(process.versions.node, 10);

/** A promise has an id of its own only while Node follows promises for somebody, which Node 24 needs not. */
async function arePromisesTracked(): Promise<boolean> {
  await Promise.resolve();
  const before = executionAsyncId();
  await Promise.resolve();
  return executionAsyncId() !== before;
}

describe('the context of a request', () => {
  it.each([
    getSessionId,
    getWorkspaceId,
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
          return [getSessionId(), getAssistantMessageId(), getWorkspaceId()];
        }),
      ),
    );
    expect(seen).toEqual(seen.map((_, n) => [`s${n}`, `answer of s${n}`, '/w']));
  });

  it('goes with what was made in it, whoever calls that later; what was made outside has that of its caller', async () => {
    const bound = runInContext(context('s'), () => bindToContext(async (more: string) => `${getSessionId()} ${more}`));
    expect(await bound('alone')).toBe('s alone');
    expect(await runInContext(context('other'), () => bound('within another'))).toBe('s within another');
    const unbound = bindToContext(() => getSessionId());
    expect(runInContext(context('other'), unbound)).toBe('other');
  });

  it('has the frame of a sub-agent for what was made in it, as long as that runs', async () => {
    await runInContext(context('s'), async () => {
      const [tool, ask] = await runInAgentFrame(frame('a'), async () => {
        const bound = bindToContext(() => currentAgentFrame()?.agentId);
        return [bound, bound()] as const;
      });
      expect([ask, tool(), currentAgentFrame()]).toEqual(['a', undefined, undefined]);
    });
  });

  it('stays while anything else still runs in one, and costs promises nothing once nothing does', async () => {
    const slow = runInContext(context('slow'), async () => {
      await sleep(20);
      return getSessionId();
    });
    await runInContext(context('quick'), async () => sleep(1));
    expect(await arePromisesTracked()).toBe(NODE_MAJOR < 24);
    expect(await slow).toBe('slow');
    expect(() => runInContext(context('fails'), () => expect.fail('at once'))).toThrow('at once');
    await expect(runInContext(context('fails'), async () => Promise.reject(new Error('later')))).rejects.toThrow(
      'later',
    );
    await sleep(0);
    expect(await arePromisesTracked()).toBe(false);
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
