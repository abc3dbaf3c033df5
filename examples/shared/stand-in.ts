import { randomUUID } from 'node:crypto';
import {
  createScriptedServer,
  responseEvents,
  type ResponseDescription,
  type ScriptedRequest,
} from 'responses-loop/testing';

/** What an application's stand-in answers to a request, in a few words. `paceMs`: the time between two events, for what is to be watched. */
export type StandInAnswer = (request: ScriptedRequest) => ResponseDescription & { readonly paceMs?: number };

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
      const { paceMs = PACE_MS, ...description } = answer(request);
      const events = responseEvents({ id: `resp_${randomUUID().replaceAll('-', '')}`, ...description });
      return { events, delayMs: paceMs };
    },
  });
  return { baseURL: server.baseURL, close: () => server.close() };
}
