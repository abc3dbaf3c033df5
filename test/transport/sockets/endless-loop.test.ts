import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from '../../../src/settings/settings.js';
import type { OutputDescription } from '../../../src/testing.js';
import { examples } from '../../helpers/nightly.js';
import { stream, textOf } from '../../provider/support/talk.js';
import { rig, type Rig } from './rig.js';
import type { SeenRequest } from './socket-server.js';

const LIMIT = 100_000;
const ROUNDS = examples(200, 1_000);
const OUTPUT = 'x'.repeat(2_000);
const settings = {
  maxRounds: 1_100,
  maxRepeatedRounds: 1_100,
  tools: {
    step: {
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      execute: ({ n }: Readonly<Record<string, unknown>>) => `${String(n)} ${OUTPUT}`,
    },
  },
} as const satisfies ResponsesProviderSettings;

type Context = SeenRequest['context'];
const charsOf = (context: Context): number => JSON.stringify(context).length;

/** Calls the tool in so many rounds, whatever of them it still sees, then answers. */
function steps(count: number): (context: Context) => readonly OutputDescription[] {
  let done = 0;
  return () => {
    done += 1;
    if (done > count) return [{ type: 'text', text: `Done after ${count}.` }];
    return [{ type: 'call', name: 'step', arguments: { n: done }, callId: `call_${done}` }];
  };
}

/** The same with a server that sums the conversation up when it is longer than it was asked to let it grow. */
function summing(count: number): (context: Context, request: SeenRequest) => readonly OutputDescription[] {
  const next = steps(count);
  return (context, { body }) => {
    const [management] = (body['context_management'] ?? []) as { readonly compact_threshold?: number }[];
    const isLong = charsOf(context) > (management?.compact_threshold ?? Number.POSITIVE_INFINITY);
    const summary = { type: 'compaction', encrypted_content: `summary ${'s'.repeat(200)}` } as const;
    return [...(isLong ? [{ type: 'item', item: summary } as const] : []), ...next(context)];
  };
}

const THRESHOLD = { context_management: [{ type: 'compaction', compact_threshold: 60_000 }] };
const WAYS = {
  'summaries of the server': { models: { '*': { body: THRESHOLD } } },
  maxLoopChars: { maxLoopChars: 90_000 },
} as const satisfies Readonly<Record<string, ResponsesProviderSettings>>;

const TRANSPORTS = ['sse', 'websocket'] as const;
const cases = Object.keys(WAYS).flatMap((way) =>
  TRANSPORTS.map((transport) => [way as keyof typeof WAYS, transport] as const),
);

async function run(count: number, way: keyof typeof WAYS, transport: (typeof TRANSPORTS)[number]): Promise<Rig> {
  const talk = await rig(
    { model: way === 'maxLoopChars' ? steps(count) : summing(count), contextChars: LIMIT },
    { ...settings, transport, ...WAYS[way] },
  );
  expect(textOf(await stream(talk))).toBe(`Done after ${count}.`);
  expect(talk.server.requests).toHaveLength(count + 1);
  return talk;
}

/** The growth per entry by least squares, of all entries together and in shares of their mean. */
function growthOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = (values.length - 1) / 2;
  const up = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  const across = values.reduce((sum, _value, at) => sum + (at - middle) ** 2, 0);
  return (up / across / mean) * values.length;
}

describe('a loop without end against a context of 100,000 characters', () => {
  it.each(cases)(
    'comes to its answer, with %s over %s, and no request grows with the rounds before it',
    async (way, transport) => {
      await using talk = await run(ROUNDS, way, transport);
      const { requests } = talk.server;
      expect(Math.max(...requests.map(({ context }) => charsOf(context)))).toBeLessThanOrEqual(LIMIT);
      // Behind the first cut. Requests that held all rounds would grow by twice their mean.
      const bytes = requests.slice(ROUNDS / 4).map((request) => request.bytes);
      expect(Math.abs(growthOf(bytes))).toBeLessThan(0.35);
    },
    120_000,
  );

  it('fails without either, as the server says', async () => {
    await using talk = await rig({ model: steps(1_000), contextChars: LIMIT }, { ...settings, transport: 'sse' });
    const parts = await stream(talk);
    const errors = parts.flatMap((part) => (part.type === 'error' ? [String(part.error)] : []));
    expect(errors.join()).toContain('context window');
  });
});

describe('a loop that the server sums up', () => {
  it('stops growing over SSE: no request is longer than the threshold and a round', async () => {
    await using talk = await run(ROUNDS, 'summaries of the server', 'sse');
    const bytes = talk.server.requests.map((request) => request.bytes);
    expect(Math.max(...bytes)).toBeLessThan(66_000);
    // 200 kB on average otherwise, of 200 rounds with results of this size.
    expect(talk.server.bytes).toBeLessThan(ROUNDS * 40_000);
  });

  it('goes on over a WebSocket: one request in each piece is whole, and short', async () => {
    await using talk = await run(ROUNDS, 'summaries of the server', 'websocket');
    const whole = talk.server.requests.filter(({ body }) => body['previous_response_id'] == null);
    expect(whole).toHaveLength(1);
  });
});

describe('a loop that maxLoopChars keeps short', () => {
  it('is sent whole over a WebSocket once for each step, which a warning and an event tell', async () => {
    await using talk = await rig(
      { model: steps(examples(150, 300)), contextChars: LIMIT },
      { ...settings, transport: 'websocket', maxLoopChars: 50_000 },
    );
    const parts = await stream(talk);
    const whole = talk.server.requests.flatMap(({ body }, at) => (body['previous_response_id'] == null ? [at] : []));
    const trims = talk.events.flatMap((event) => (event.type === 'trim' ? [event.round] : []));
    expect(trims.length).toBeGreaterThan(5);
    expect(whole).toEqual([0, ...trims]);
    const finish = parts.find((part) => part.type === 'finish');
    const { warnings } = (finish?.providerMetadata?.['responses-loop'] ?? {}) as { readonly warnings?: string[] };
    expect(warnings?.filter((warning) => warning.includes('maxLoopChars'))).toHaveLength(trims.length);
  });

  it('gives the caller every call and output whole', async () => {
    await using talk = await rig(
      { model: steps(60), contextChars: LIMIT },
      { ...settings, transport: 'sse', maxLoopChars: 20_000 },
    );
    const parts = await stream(talk);
    const carried = parts.flatMap((part) => {
      const own = 'providerMetadata' in part ? part.providerMetadata?.['responses-loop'] : undefined;
      const { carrier } = (own ?? {}) as { readonly carrier?: { readonly entries?: { readonly output?: unknown }[] } };
      return carrier?.entries?.filter(({ output }) => output !== undefined) ?? [];
    });
    expect(carried).toHaveLength(60);
    for (const { output } of carried) expect(JSON.stringify(output)).toContain(OUTPUT);
  });
});
