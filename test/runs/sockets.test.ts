import { expect, it } from 'vitest';
import { recordEvents } from 'responses-loop/node';
import { replayEvents } from 'responses-loop/testing';
import { createResponsesProvider } from 'responses-loop';
import { stream } from '../provider/support/talk.js';
import { rig, waysOf } from '../transport/sockets/rig.js';
import { newFile } from './support/recording.js';

it('a run over a WebSocket is played again, over a WebSocket too', async () => {
  const file = newFile();
  const record = recordEvents(file, { outputs: 'full' });
  await using talk = await rig({}, { onEvent: record });
  await stream(talk);
  record.close();
  const replay = await replayEvents(file, {
    provider: (settings) => createResponsesProvider({ ...settings, apiKey: 'test', transport: 'websocket' }),
  });
  replay.assertSame();
  expect(replay.calls[0]?.replayed).toMatchObject({ answer: 'Done after 3.', rounds: 4 });
  expect(waysOf(talk).slice(4)).toEqual(['socket whole', 'socket +1', 'socket +1', 'socket +1']);
  expect(talk.runs).toBe(3);
});
