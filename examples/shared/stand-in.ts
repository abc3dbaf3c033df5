import { randomUUID } from 'node:crypto';
import {
  createScriptedServer,
  responseEvents,
  type ResponseDescription,
  type ScriptedRequest,
} from 'responses-loop/testing';

/** What an application's stand-in answers to a request, in a few words. */
export type StandInAnswer = (request: ScriptedRequest) => ResponseDescription;

/** A server on loopback that takes the place of a model. */
export interface StandIn {
  readonly baseURL: string;
  close(): Promise<void>;
}

/** Milliseconds between two events: slow enough to watch, fast enough not to bore. */
const PACE_MS = 4;

/** Real HTTP and real server-sent events; only the thinking is a function of the application. */
export async function startStandIn(answer: StandInAnswer): Promise<StandIn> {
  const server = await createScriptedServer({
    otherwise: (request) => {
      // Ids of calls are made from it: the calls of a session that goes on in another process need others.
      const events = responseEvents({ id: `resp_${randomUUID().replaceAll('-', '')}`, ...answer(request) });
      return { events, delayMs: PACE_MS };
    },
  });
  return { baseURL: server.baseURL, close: () => server.close() };
}
