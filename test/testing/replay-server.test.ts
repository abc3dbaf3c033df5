import { describe, expect, it } from 'vitest';

import { createReplayServer, everyByte, recordFetch, scriptedFetch } from '../../src/testing.js';
import { CONVERSATION, converse, freshDirectory } from './support/conversation.js';

async function recorded(): Promise<{ directory: string; parts: readonly unknown[] }> {
  const directory = await freshDirectory();
  const fetch = recordFetch(directory, { fetch: scriptedFetch(CONVERSATION) });
  const parts = await converse({ fetch });
  await fetch.save();
  return { directory, parts };
}

describe('createReplayServer', () => {
  it.each([{}, { rechunk: everyByte }, { timing: 'recorded' }] as const)(
    'replays the conversation over HTTP: %o',
    async (options) => {
      const { directory, parts } = await recorded();
      await using server = await createReplayServer(directory, options);
      expect(await converse({ baseURL: server.baseURL })).toEqual(parts);
      server.assertDone();
      expect(server.requests).toHaveLength(3);
    },
  );

  it('says what differs, and which paths it does not know', async () => {
    const { directory } = await recorded();
    await using server = await createReplayServer(directory);
    expect(JSON.stringify(await converse({ baseURL: server.baseURL }, 'Hello'))).toContain('got \\"Hello\\"');
    expect((await fetch(`${server.baseURL}/models`)).status).toBe(404);
    expect(server.problems).toEqual([
      expect.stringContaining('GET /v1/models came'),
      expect.stringContaining('expected "What is 2 + 3 + 4?", got "Hello"'),
    ]);
    expect(() => server.assertDone()).toThrow('Never asked for: rounds 1, 2, 3 of 3.');
  });

  it('does not start without a fixture', async () => {
    await expect(createReplayServer(await freshDirectory())).rejects.toThrow(
      'this directory contains no recording (meta.json is missing)',
    );
  });

  it('breaks where the recorded connection broke', async () => {
    const directory = await freshDirectory();
    const recording = recordFetch(directory, { fetch: scriptedFetch([{ bytes: 'data: 1\n\n', ending: 'reset' }]) });
    const init = { method: 'POST', body: '{}' };
    await (await recording('https://any.test/v1/responses', init)).text().catch(() => {});
    await recording.save();
    await using server = await createReplayServer(directory);
    const response = await fetch(`${server.baseURL}/responses`, init);
    await expect(response.text()).rejects.toThrow('terminated');
  });
});
