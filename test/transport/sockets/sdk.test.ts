import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ModelMessage, stepCountIs, streamText, type ToolSet } from 'ai';
import { WebSocket } from 'ws';
import { describe, expect, it } from 'vitest';
import { stream, textOf } from '../../provider/support/talk.js';
import { rig, steps, waysOf } from './rig.js';
import { startSocketServer } from './socket-server.js';

describe('sockets in an app', () => {
  it('a second turn, with the messages the AI SDK made of the first, sends only what is new', async () => {
    await using talk = await rig({ model: steps(2) });
    const messages: ModelMessage[] = [{ role: 'user', content: 'Go.' }];
    for (let turn = 0; turn < 2; turn += 1) {
      const result = streamText({ model: talk.provider('m'), messages });
      expect(await result.text).toBe('Done after 2.');
      messages.push(...(await result.response).messages, { role: 'user', content: 'Again.' });
    }
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket +1', 'socket +1', 'socket +1', 'socket +1']);
  });

  it('steps of the AI SDK, which runs the tools, go on over the connection: each sends only its output', async () => {
    await using talk = await rig({ model: steps(3) });
    const tools: ToolSet = await talk.provider.tools({ runBy: 'sdk' });
    const { text } = streamText({ model: talk.provider('m'), tools, stopWhen: stepCountIs(9), prompt: 'Go.' });
    expect(await text).toBe('Done after 3.');
    expect(talk.runs).toBe(3);
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket +1', 'socket +1']);
  });

  it('a text that comes between rounds is sent behind the outputs, and nothing else twice', async () => {
    const prepareRound = ({ roundNumber }: { roundNumber: number }) =>
      roundNumber === 2 ? { addMessages: ['Hurry.'] } : undefined;
    await using talk = await rig({ model: steps(3) }, { prepareRound });
    const { text } = streamText({ model: talk.provider('m'), prompt: 'Go.' });
    expect(await text).toBe('Done after 3.');
    // The model of the test counts anew behind each message of the user.
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket +2', 'socket +1', 'socket +1', 'socket +1']);
  });

  it.each(['websocket', 'auto'] as const)('an idle one (%s) does not keep a process alive', async (transport) => {
    await using server = await startSocketServer({ model: steps(3) });
    const program = fileURLToPath(new URL('talk-once.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', program, server.baseURL, transport]);
    let out = '';
    let errors = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    const [code] = (await once(child, 'exit')) as [number];
    expect({ out, errors, code }).toEqual({ out: 'Done after 3.\n', errors: '', code: 0 });
    expect(server.upgrades).toBe(1);
  });

  it.each<[string, ConstructorParameters<typeof WebSocket> extends unknown ? object : never]>([
    ['a class', { webSocket: WebSocket }],
    [
      'a function',
      {
        webSocket: ({ url, headers }: { url: string; headers: Record<string, string> }) =>
          new WebSocket(url, { headers }),
      },
    ],
  ])('the setting webSocket may be %s', async (_name, settings) => {
    await using talk = await rig({}, settings);
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket +1', 'socket +1']);
  });

  it('a function that fails costs nothing but a message', async () => {
    const webSocket = () => {
      throw new Error('no sockets today');
    };
    await using talk = await rig({}, { webSocket });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(talk.events).toContainEqual(
      expect.objectContaining({ type: 'transport-fallback', reason: expect.stringContaining('no sockets today') }),
    );
  });
});
