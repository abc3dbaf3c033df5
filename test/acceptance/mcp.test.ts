import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { createScriptedServer, responseEvents } from 'responses-loop/testing';
import { createKelivoResponsesProvider, type ObserverEvent } from 'responses-loop';
import { streamParts } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { signalTower, toolOf } from './support/tools.js';
import { offered, outputs } from './support/wire.js';
import { everythingPath } from '../tools/support/servers.js';

const everything = { command: process.execPath, args: [everythingPath] };

describe('with a real MCP server as a process', () => {
  it('the loop runs its tools over stdio, several rounds on one connection', async () => {
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['echo', { message: 'duck' }, 'call_1'], ['get-sum', { a: 2, b: 3 }, 'call_2'])),
        reply(calls('resp_2', ['get-sum', { a: 'no number' }, 'call_3'])),
        reply(says('resp_3', 'Echoed and added.')),
      ],
      { mcpServers: { everything } },
    );
    const result = streamText({ model, prompt: 'Try them.' });
    expect(await result.text).toBe('Echoed and added.');
    expect(offered(requests[0])).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    const [echo, sum, bad] = outputs(requests[2]);
    expect(echo).toEqual(['call_1', 'Echo: duck']);
    expect(sum).toEqual(['call_2', 'The sum of 2 and 3 is 5.']);
    expect(bad?.[1]).toMatch(/invalid/i);
  });

  it('an MCP tool comes before a local one of the same name where the loop has the say, else both are told apart', async () => {
    const echo = toolOf(() => 'local echo');
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['everything__echo', { message: 'a' }], ['local__echo', {}])),
        reply(says('resp_2', 'Done.')),
      ],
      {
        mcpServers: { everything },
        tools: { echo },
      },
    );
    await generateText({ model, prompt: 'Echo.' });
    expect(outputs(requests[1]).map(([, output]) => output)).toEqual(['Echo: a', 'local echo']);

    await using server = await createScriptedServer({
      steps: [
        responseEvents(calls('resp_1', ['echo', { message: 'b' }], ['local__echo', {}])),
        responseEvents(says('resp_2', 'Done.')),
      ],
    });
    await using provider = createKelivoResponsesProvider({
      baseURL: server.baseURL,
      mcpServers: { everything },
      tools: { echo },
    });
    await streamParts(provider('m'));
    expect(outputs(server.requests[1]).map(([, output]) => output)).toEqual(['Echo: b', 'local echo']);
  });

  it('an abort ends the call at once, while the server’s tool would go on for long', async () => {
    const { reached, reach } = signalTower();
    const events: ObserverEvent[] = [];
    const { model } = await rig(
      [reply(calls('resp_1', ['trigger-long-running-operation', { duration: 600, steps: 600 }]))],
      {
        mcpServers: { everything },
        onEvent: (event) => {
          events.push(event);
          if (event.type === 'tool-start') reach();
        },
      },
    );
    const controller = new AbortController();
    const ended = streamParts(model, { abortSignal: controller.signal });
    await reached;
    controller.abort();
    expect((await ended).map((part) => part.type)).not.toContain('finish');
    expect(events.at(-1)?.type).toMatch(/tool-end|call-end/);
  });

  it('a server that cannot be started is a warning; the other tools and the call go on', async () => {
    const ping = toolOf(() => 'pong');
    const { model, requests } = await rig([reply(calls('resp_1', ['ping', {}])), reply(says('resp_2', 'Pong.'))], {
      mcpServers: { dead: { command: '/no/such/program' } },
      tools: { ping },
    });
    const result = await generateText({ model, prompt: 'Ping.' });
    expect(result.text).toBe('Pong.');
    expect(result.warnings).toEqual([{ type: 'other', message: expect.stringContaining('dead') as string }]);
    expect(offered(requests[0])).toEqual(['ping']);
  });
});
