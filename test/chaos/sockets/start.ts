import type { ResponsesProviderSettings } from 'responses-loop';
import type { ScriptedRequest } from 'responses-loop/testing';
import type { JsonObject } from '../../../src/core/json.js';
import { asRecords } from '../../../src/util/guards.js';
import { beyondText, type LanePlay, laneOf, receive } from '../lane-play.js';
import type { Log } from '../log.js';
import { plainAnswer } from '../plain-answer.js';
import type { AnswerExchange, Scenario } from '../scenario.js';
import { asOverSocket } from './answer.js';
import { clientAt } from './client.js';
import { SocketServer, type SocketServerOptions } from './server.js';

interface World {
  readonly plays: readonly LanePlay[];
  readonly log: Log;
  readonly recut: boolean;
}

/** The server of the sockets beside that of HTTP, which answers out of the same script, and what makes a provider use it. */
export async function startSockets(
  { seed, sockets }: Scenario,
  { plays, log, recut }: World,
): Promise<{ readonly server: SocketServer; readonly settings: ResponsesProviderSettings }> {
  const server = new SocketServer({
    upgrades: sockets?.upgrades ?? ['open'],
    recut,
    onRequest: (asked) => {
      const lanePlay = laneOf(JSON.stringify(asked.context), plays);
      const { headers: _headers, ...wire } = asked;
      const seen = { request: requestOf(lanePlay, asked), wire };
      return receive(lanePlay, log, seen, asOverSocket) ?? beyond(lanePlay);
    },
  });
  const url = await server.listen();
  return {
    server,
    settings: {
      transport: sockets?.mode ?? 'websocket',
      webSocket: clientAt(url, recut ? seed + 1 : seed),
      sockets: { max: sockets?.max ?? 16 },
      // It has the last look at what a request means.
      transformRequest: ({ body }) => {
        laneOf(JSON.stringify(body), plays).whole = JSON.parse(JSON.stringify(body)) as JsonObject;
      },
    },
  };
}

/** As the rest of the tests knows requests: what it means, with the headers of its connection. */
function requestOf(
  { whole, requests }: LanePlay,
  { headers, sent }: Parameters<SocketServerOptions['onRequest']>[0],
): ScriptedRequest {
  return {
    index: requests.length,
    method: 'POST',
    url: '/v1/responses',
    headers,
    body: whole,
    input: asRecords(whole['input']) as JsonObject[],
    text: JSON.stringify(sent),
    aborted: false,
    closed: Promise.resolve(),
  };
}

function beyond({ number, requests }: LanePlay): AnswerExchange {
  return plainAnswer(`resp_beyond_${number}_${requests.length}`, [
    { type: 'text', text: beyondText(requests.length - 1) },
  ]);
}
