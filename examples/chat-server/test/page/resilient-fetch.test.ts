import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Connection, createResilientFetch } from '../../page/lib/resilient-fetch.js';

const EVENTS = [
  'data: {"type":"start","messageId":"m1"}',
  ...Array.from({ length: 6 }, (_, at) => `data: {"type":"text-delta","id":"0","delta":"wörd ${at} "}`),
  'data: {"type":"finish"}',
  'data: [DONE]',
];
const TURN = new TextEncoder().encode(
  `${EVENTS.slice(0, 3).join('\n\n')}\n\n: still here\n\n${EVENTS.slice(3).join('\n\n')}\n\n`,
);
const POST = { method: 'POST', body: JSON.stringify({ id: 's1' }) };

/** Answers with each of `steps` in turn; the last one counts for all that follow. */
function server(...steps: readonly (() => Response | Promise<Response>)[]) {
  const asked: string[] = [];
  const connections: Connection[] = [];
  const waits: number[] = [];
  const fetch = createResilientFetch({
    fetch: async (input, init) => {
      const step = steps[Math.min(asked.length, steps.length - 1)];
      asked.push(`${init?.method} ${input instanceof Request ? input.url : input.toString()}`);
      if (step === undefined) throw new Error('no step');
      return step();
    },
    onConnection: (connection) => connections.push(connection),
    wait: async (ms) => void waits.push(ms),
    silenceMs: 50,
  });
  return { fetch, asked, connections, waits };
}

/** The turn, in pieces; a body that ends before `end` bytes breaks off, as it does when a server is killed. */
function turn({ end = TURN.length, piece = 7, isReset = false } = {}): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < end) return controller.enqueue(TURN.slice(at, (at = Math.min(at + piece, end))));
      if (isReset) return controller.error(new TypeError('network error'));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

const unreachable = (): never => {
  throw new TypeError('Failed to fetch');
};
const nothing = (): Response => new Response(null, { status: 204 });
const refused = (status: number, code: string) => () =>
  Response.json({ error: { code, message: `It is ${code}.` } }, { status });

async function eventsOf(response: Response): Promise<string[]> {
  return (await response.text()).split('\n\n').filter((event) => event !== '');
}

describe('a stream that is read by the page', () => {
  it('comes whole and once, wherever the line breaks and however often', async () => {
    const cuts = fc.array(fc.record({ end: fc.nat(TURN.length), isReset: fc.boolean() }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(cuts, fc.integer({ min: 1, max: 40 }), async (breaks, piece) => {
        const { fetch } = server(...breaks.map((cut) => () => turn({ ...cut, piece })), () => turn({ piece }));
        expect(await eventsOf(await fetch('/api/chat', POST))).toEqual(EVENTS);
      }),
      { numRuns: 50 },
    );
  });

  it('is opened again where the running turn is, and says that the line was lost and is back', async () => {
    const { fetch, asked, connections } = server(() => turn({ end: 60, isReset: true }), turn);
    await eventsOf(await fetch('/api/chat', POST));
    expect(asked).toEqual(['POST /api/chat', 'GET /api/chat/s1/stream']);
    expect(connections).toEqual([{ isLost: true, retryInMs: 1000 }, { isLost: false }]);
  });

  it('is tried again after 1, 2, 4 … 30 seconds', async () => {
    const steps = Array.from({ length: 7 }, () => unreachable);
    const { fetch, waits } = server(() => turn({ end: 60 }), ...steps, turn);
    await eventsOf(await fetch('/api/chat', POST));
    expect(waits.map((ms) => ms / 1000)).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  it('ends where it broke if the turn is over meanwhile', async () => {
    const { fetch } = server(() => turn({ end: 60 }), nothing);
    expect(await eventsOf(await fetch('/api/chat', POST))).toEqual([EVENTS[0], EVENTS.at(-1)]);
  });

  it('does not go on with another turn that runs by then', async () => {
    const other = (): Response => new Response('data: {"type":"start","messageId":"m2"}\n\ndata: [DONE]\n\n');
    const { fetch } = server(() => turn({ end: 60 }), other);
    expect(await eventsOf(await fetch('/api/chat', POST))).toEqual([EVENTS[0], EVENTS.at(-1)]);
  });

  it('is opened again when nothing comes any more, not even a comment', async () => {
    const silent = (): Response => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    const { fetch, asked } = server(silent, turn);
    expect(await eventsOf(await fetch('/api/chat', POST))).toEqual(EVENTS);
    expect(asked).toHaveLength(2);
  });

  it('is not opened again once the reader has gone', async () => {
    const leaving = new AbortController();
    const { fetch, asked } = server(() => turn({ end: 60, isReset: true }), turn);
    const response = await fetch('/api/chat', { ...POST, signal: leaving.signal });
    leaving.abort();
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toHaveLength(1);
  });
});

describe('a request of the page', () => {
  it('is sent again when the server cannot be reached, and joins the turn if it had arrived', async () => {
    const { fetch, asked } = server(unreachable, refused(409, 'message_exists'), turn);
    expect(await eventsOf(await fetch('/api/chat', POST))).toEqual(EVENTS);
    expect(asked).toEqual(['POST /api/chat', 'POST /api/chat', 'GET /api/chat/s1/stream']);
  });

  it('is refused with the words of the server', async () => {
    const { fetch } = server(refused(409, 'turn_running'));
    await expect(fetch('/api/chat', POST)).rejects.toMatchObject({
      status: 409,
      code: 'turn_running',
      message: 'It is turn_running.',
    });
  });

  it('that waits for other answers ends at once', async () => {
    const { fetch } = server(() => Response.json({ waiting: 1 }, { status: 202 }));
    expect(await eventsOf(await fetch('/api/chat', POST))).toEqual(['data: [DONE]']);
  });

  it('to join finds nothing where no turn runs', async () => {
    const { fetch } = server(nothing);
    expect((await fetch('/api/chat/s1/stream')).status).toBe(204);
  });
});
