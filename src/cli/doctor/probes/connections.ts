import type { Item } from '../answer.js';
import { HELLO } from '../find-manner.js';
import { message, type Probe } from '../probe.js';
import { askOverSocket } from '../web-socket.js';

/** A server with a single slot is busy until the model has stopped. */
const PATIENCE_MS = 2_000;

function isDelta({ type }: Item): boolean {
  return String(type).endsWith('.delta');
}

const abort: Probe = {
  name: 'abort',
  needs: ['streamed text'],
  run: async (visit) => {
    const alone = await visit.ask(HELLO);
    const input = [message('Count from 1 to 1000, one number per line.')];
    const left = await visit.ask({ input, max_output_tokens: visit.most(4_000) }, { until: isDelta });
    if (!left.isLeft)
      return { verdict: 'unknown', detail: left.problem || 'the answer ended before it could be aborted' };
    const after = await visit.ask(HELLO);
    if (after.kind !== 'answer')
      return { verdict: 'no', detail: `after an abort: ${after.problem}`, limit: 'an aborted call hinders the next' };
    const detail = `the next answer took ${Math.round(after.ms)} ms, without an abort before it ${Math.round(alone.ms)} ms`;
    if (after.ms <= 2 * alone.ms + PATIENCE_MS) return { verdict: 'yes', detail };
    return { verdict: 'no', detail, limit: 'aborted calls run on at the server' };
  },
};

const socket: Probe = {
  name: 'WebSocket',
  run: async (visit) => {
    const { url, base } = visit.manner;
    const body = { type: 'response.create', model: visit.model, ...visit.fields, ...base, ...HELLO };
    const {
      status,
      problem,
      first = '',
    } = await askOverSocket({ url, headers: visit.headers(), message: body, signal: visit.signal });
    if (status !== undefined) return { verdict: 'no', detail: `${status} in place of a socket` };
    if (problem !== undefined) return { verdict: 'no', detail: problem };
    if (!first.startsWith('response.'))
      return { verdict: 'partly', detail: `a socket opens, its first message is ${JSON.stringify(first)}` };
    return { verdict: 'yes', detail: `begins with ${first}`, wants: { webSocket: SOCKETS } };
  },
};

/** The careful reading: what a connection remembers, and its maximum age, are unknown. */
const SOCKETS = {
  works: () => true,
  best: { continues: 'never' as const, maxAgeMs: 24 * 60_000 },
};

export const connections: readonly Probe[] = [abort, socket];
