import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type AppCallNews, AppCalls } from '../../src/apps/app-calls.js';

describe('calls of apps', () => {
  it('end with their chat, and those of other chats go on', async () => {
    const calls = new AppCalls({
      callAppTool: async ({ abortSignal }) => {
        await sleep(60_000, undefined, { signal: abortSignal, ref: false });
        return { content: [] };
      },
      sentenceOf: (error) => (error as Error).name,
    });
    const gone = new AbortController();
    const start = (sessionId: string, news: AppCallNews[]): Promise<void> =>
      calls.start({ sessionId, server: 's', tool: 't', input: {}, signal: gone.signal }, (one) => news.push(one));
    const [lost, kept]: [AppCallNews[], AppCallNews[]] = [[], []];
    const ended = start('lost', lost);
    const other = start('kept', kept);
    calls.endChat('lost');
    await ended;
    expect([lost, kept]).toEqual([[{ type: 'error', message: 'AbortError' }], []]);
    gone.abort();
    await other;
  });
});
