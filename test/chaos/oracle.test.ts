import { beforeAll, describe, expect, it } from 'vitest';
import type { Observation, Part, Wire } from './observation.js';
import { judge } from './oracle/oracle.js';
import { play } from './play.js';
import { API_KEY } from './secrets.js';
import type { Scenario } from './scenario.js';
import { WARM_UP } from './warm-up.js';

const scenario = { ...WARM_UP, lanes: WARM_UP.lanes.slice(0, 1) };
const overSockets: Scenario = {
  ...scenario,
  sockets: { mode: 'websocket', upgrades: ['open'], max: 16, socketMs: 5_000 },
};
let clean: Observation;
let cleanOverSockets: Observation;

beforeAll(async () => {
  clean = await play(scenario);
  cleanOverSockets = await play(overSockets);
});

type Lane = Observation['lanes'][number];
type Call = Lane['calls'][number];
type Request = Lane['requests'][number];

function withLane(change: (lane: Lane) => Partial<Lane>): Observation {
  return { ...clean, lanes: clean.lanes.map((lane) => ({ ...lane, ...change(lane) })) };
}

function withCall(change: (call: Call) => Partial<Call>): Observation {
  return withLane((lane) => ({ calls: lane.calls.map((call) => ({ ...call, ...change(call) })) }));
}

function withParts(change: (parts: Part[]) => Part[]): Observation {
  return withCall((call) => ({ parts: change(call.parts) }));
}

/** Changes the body of one request. */
function withRequest(number: number, change: (request: Request['request']) => object): Observation {
  return withLane((lane) => ({
    requests: lane.requests.map((seen, at) =>
      at === number ? { ...seen, request: Object.assign(Object.create(seen.request), change(seen.request)) } : seen,
    ),
  }));
}

const staysOpen = {
  ...scenario,
  lanes: scenario.lanes.map((lane) => ({
    ...lane,
    exchanges: lane.exchanges.map((exchange) => ({ ...exchange, items: [], ending: 'stall' as const })),
  })),
};

const WIRE: Wire = { connection: 0, isFirst: true, sent: {}, context: [] };
const isTextDelta = (part: Part): boolean => part.type === 'text-delta';
const textStart = { type: 'text-start', id: 'extra' } as const;
const error = new Error(`the key ${API_KEY} was refused`);

/** What each checker has to find, made by hand. */
const VIOLATIONS: readonly (readonly [invariant: string, what: string, make: () => Observation])[] = [
  ['ends', 'a lane that hangs', () => withLane(() => ({ ended: false }))],
  ['I1', 'a second finish', () => withParts((parts) => [...parts, ...parts.slice(-1)])],
  ['I1', 'a part left open', () => withParts((parts) => [...parts.slice(0, -1), textStart, ...parts.slice(-1)])],
  ['I1', 'a stream that fails itself', () => withCall(() => ({ broke: { error } }))],
  ['I2', 'lost text', () => withParts((parts) => parts.filter((part) => !isTextDelta(part)))],
  [
    'I2',
    'text twice',
    () => withParts((parts) => parts.flatMap((part) => (isTextDelta(part) ? [part, part] : [part]))),
  ],
  ['I3', 'a part id that comes twice', () => withLane(({ calls }) => ({ calls: [...calls, ...calls] }))],
  [
    'I5',
    'a wrong finish reason',
    () =>
      withParts((parts) =>
        parts.map((part) => (part.type === 'finish' ? { ...part, finishReason: 'length' as const } : part)),
      ),
  ],
  [
    'I5',
    'an error nobody made',
    () => withParts((parts) => [...parts.slice(0, -1), { type: 'error', error }, ...parts.slice(-1)]),
  ],
  [
    'I7',
    'a round after the answer',
    () => withLane(({ requests }) => ({ requests: [...requests, ...requests.slice(-1)] })),
  ],
  ['I8', 'an output that is missing', () => withRequest(1, ({ input }) => ({ input: input.slice(0, -1) }))],
  [
    'I8',
    'outputs in the wrong order',
    () => withRequest(1, ({ input }) => ({ input: [...input.slice(0, -2), ...input.slice(-2).toReversed()] })),
  ],
  ['I8', 'a tool that ran twice', () => ({ ...clean, runs: [...clean.runs, ...clean.runs] })],
  ['I8', 'a tool nobody called', () => ({ ...clean, runs: clean.runs.map((run) => ({ ...run, marker: 'M0.9.9' })) })],
  [
    'I9',
    'a call of ours at the client',
    () =>
      withParts((parts) =>
        parts.map((part) => (part.type === 'tool-call' ? { ...part, providerExecuted: false } : part)),
      ),
  ],
  ['I10', 'a round without the key', () => withRequest(1, () => ({ headers: {} }))],
  [
    'I10',
    'a choice that was not made',
    () => withRequest(0, ({ body }) => ({ body: { ...body, tool_choice: 'required' } })),
  ],
  [
    'I11',
    'a closing round too early',
    () => withRequest(1, ({ body }) => ({ body: { ...body, tool_choice: 'none' } })),
  ],
  ['I12', 'a listener that stays', () => withLane(() => ({ listenersLeft: 1 }))],
  ['I12', 'a tool that was never told', () => ({ ...clean, untold: clean.runs.map((run) => run.marker) })],
  [
    'I12',
    'a request after the abort',
    () => ({
      ...withLane(() => ({ aborted: true })),
      log: [{ at: -1, lane: 0, what: 'aborted', detail: '' }, ...clean.log],
    }),
  ],
  [
    'I12',
    'a call without its end',
    () => ({ ...clean, events: clean.events.filter((event) => event.type !== 'call-end') }),
  ],
  ['I13', 'a rejection after a tool has run', () => withCall(() => ({ rejected: { error } }))],
  ['I18', 'a key in an error', () => withCall(() => ({ rejected: { error } }))],
  ['I18', 'a key in an event', () => ({ ...clean, events: [...clean.events, { type: 'warning', message: API_KEY }] })],
  ['I19', 'a call without its result', () => withParts((parts) => parts.filter((part) => part.type !== 'tool-result'))],
  [
    'I22',
    'a system message that was not in the prompt',
    () => withRequest(1, ({ input }) => ({ input: [...input, { type: 'message', role: 'system', content: 'obey' }] })),
  ],
  ['text', 'an escape in an error', () => withCall(() => ({ rejected: { error: new Error('boom \u001b[2J') } }))],
  [
    'context',
    'a tool in a foreign context',
    () => ({ ...clean, runs: clean.runs.map((run) => ({ ...run, context: 5 })) }),
  ],
  [
    'W7',
    'a socket that nobody asked for',
    () => withLane(({ requests }) => ({ requests: requests.map((seen) => ({ ...seen, wire: WIRE })) })),
  ],
  ['script', 'a request nobody expected', () => ({ ...clean, problems: ['GET /v1/models came'] })],
];

/** Changes the second request over a socket, which goes on from the first. */
function withSecond(change: (seen: Request) => Partial<Request>): Observation {
  return {
    ...cleanOverSockets,
    lanes: cleanOverSockets.lanes.map((lane) => ({
      ...lane,
      requests: lane.requests.map((seen, at) => (at === 1 ? { ...seen, ...change(seen) } : seen)),
    })),
  };
}

const withWire = (change: (wire: Wire) => Partial<Wire>): Observation =>
  withSecond(({ wire }) => ({ wire: wire && { ...wire, ...change(wire) } }));

/** The second request is the first once more, as the transport sends one. */
function withResend(change: (wire: Wire) => Partial<Wire>): Observation {
  const [first] = cleanOverSockets.lanes[0]?.requests ?? [];
  return withSecond(({ wire }) => ({ ...first, wire: wire && { ...wire, ...change(wire) } }));
}

const OVER_SOCKETS: typeof VIOLATIONS = [
  ['W2', 'a context that lost something', () => withWire(({ context }) => ({ context: context.slice(1) }))],
  ['W2', 'a message without its tools', () => withWire(({ sent: { tools: _tools, ...sent } }) => ({ sent }))],
  ['W2', 'a message that is no request', () => withWire(({ sent }) => ({ sent: { ...sent, type: 'response.steer' } }))],
  ['W6', 'a repetition that is not whole', () => withResend(() => ({ connection: 1 }))],
  ['W6', 'a repetition on the connection that failed', () => withResend(() => ({ connection: 0 }))],
  ['W7', 'HTTP for nothing', () => withSecond(() => ({ wire: undefined }))],
  ['W9', 'a socket that stays', () => ({ ...cleanOverSockets, socketsLeft: 1 })],
];

describe('the oracle of the chaos tests', () => {
  it('has nothing to say of a call over sockets that went well, and goes on from its response', () => {
    expect(judge(overSockets, cleanOverSockets)).toEqual([]);
    const wires = cleanOverSockets.lanes.flatMap(({ requests }) => requests.map(({ wire }) => wire));
    expect(wires.map((wire) => wire?.sent['previous_response_id'])).toEqual([undefined, 'resp_0']);
  });

  it.each(OVER_SOCKETS)('finds over sockets by %s %s', (invariant, _what, make) => {
    const found = judge(overSockets, make()).map((finding) => finding.invariant);
    expect(found).toContain(invariant);
  });

  it('has nothing to say of a call that went well', () => {
    expect(judge(scenario, clean)).toEqual([]);
  });

  it.each(VIOLATIONS)('finds by %s %s', (invariant, _what, make) => {
    const found = judge(scenario, make()).map((finding) => finding.invariant);
    expect(found).toContain(invariant);
  });

  it('finds by I6 a call that waits for a connection to close', async () => {
    const played = await play(staysOpen);
    const hung = { ...played, lanes: played.lanes.map((lane) => ({ ...lane, ended: false })) };
    expect(judge(staysOpen, hung).map((finding) => finding.invariant)).toContain('I6');
  });

  it('finds by I4 parts that hang on the cut', () => {
    const again = withParts((parts) => parts.filter((part) => part.type !== 'response-metadata'));
    expect(judge(scenario, clean, again).map((finding) => finding.invariant)).toContain('I4');
  });

  // Under load a round may be looked ahead for shorter than its error takes.
  it.each([
    ['not', 'nothing to see before an error', [], false],
    ['finds', 'text before an error', [{ type: 'text-delta', id: 't', delta: 'a' }], true],
  ])('%s by I4: %s', (_finds, _what, seen, isFound) => {
    const failed = { type: 'error', error: new Error('broke off') };
    const begun = [{ type: 'text-start', id: 't' }, ...seen, { type: 'text-end', id: 't' }];
    const [one, other] = [begun, []].map((before) =>
      withParts((parts) => [...parts, ...before, failed] as typeof parts),
    );
    const found = judge(scenario, one ?? clean, other).map((finding) => finding.invariant);
    expect(found.includes('I4')).toBe(isFound);
  });
});
