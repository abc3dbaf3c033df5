// A model that works off seven calls of tools in six rounds, with ids drawn anew for every answer.
import { randomBytes } from 'node:crypto';
import { createScriptedServer, responseEvents } from 'responses-loop/testing';

const EVENT_MS = 5;
/** What is called next, by how many outputs there are. */
const CALLS = { 0: ['look', 'look'], 2: ['put'], 3: ['set'], 4: ['look', 'put'], 6: ['put'] };

export const REQUESTS = 6;
export const RUNS = 7;
export const TOOLS = { look: 'read-only', set: 'idempotent', put: 'writing' };

export async function startModel() {
  /** How often each loop was asked for, and how often a client went away. */
  const asked = new Map();
  const server = await createScriptedServer({
    otherwise: (request) => {
      const loop = /Loop ([\w-]+)/.exec(request.text)?.[1] ?? '?';
      asked.set(loop, (asked.get(loop) ?? 0) + 1);
      const outputs = request.input.filter(({ type }) => type === 'function_call_output').length;
      const names = CALLS[outputs];
      const id = randomBytes(12).toString('hex');
      const output =
        names === undefined
          ? [{ type: 'text', text: `Loop ${loop} is done.` }]
          : [
              { type: 'text', text: `Step ${outputs} of ${loop}. ` },
              ...names.map((name, at) => ({ type: 'call', name, arguments: { loop }, callId: `call_${id}${at}` })),
            ];
      return { events: responseEvents({ id: `resp_${id}`, output }), delayMs: EVENT_MS };
    },
  });
  return { url: server.baseURL, asked, close: () => server.close() };
}
