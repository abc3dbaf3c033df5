import { describe, expect, it } from 'vitest';
import type { CarriedCall, Carrier } from '../../src/core/carrier.js';
import { textOutput } from '../../src/core/message.js';
import { toCarrier } from '../../src/loop/carrier-writer.js';
import { type Part, streamParts } from '../acceptance/support/parts.js';
import { reply, rig, says } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';

const LIMIT = 256_000;
const SUMMARY = { type: 'compaction', encrypted_content: 'sealed' };
/** Larger than a carrier may be, quotes included. */
const BIG = JSON.stringify({ text: 'say "quack" '.repeat(30_000) });

function carriersOf(parts: readonly Part[]): Carrier[] {
  return parts.flatMap((part) => {
    const own = 'providerMetadata' in part ? part.providerMetadata?.['responses-loop'] : undefined;
    return own?.['carrier'] === undefined ? [] : [own['carrier'] as unknown as Carrier];
  });
}

function expectStorable(carrier: Carrier | undefined): void {
  expect(JSON.stringify(carrier).length).toBeLessThanOrEqual(LIMIT);
  for (const entry of carrier?.entries ?? []) {
    if (!('arguments' in entry)) continue;
    expect(() => JSON.parse(entry.arguments) as unknown).not.toThrow();
    expect(entry.arguments).toContain('left out');
  }
}

async function carriersOfRound(output: NonNullable<Parameters<typeof reply>[0]['output']>): Promise<Carrier[]> {
  const steps = [reply({ id: 'resp_1', output }), reply(says('resp_2', 'Ok.'))];
  const { model, requests } = await rig(steps, { tools: { write: toolOf(() => 'written') } });
  const parts = await streamParts(model);
  // The round itself is not cut: only what is kept of it.
  expect(requests[1]?.text).toContain(JSON.stringify(BIG));
  return carriersOf(parts);
}

const write = { type: 'call', name: 'write', arguments: [BIG], callId: 'call_1' } as const;

describe('a carrier of a large round', () => {
  it('holds cut arguments that are still JSON', async () => {
    const [carrier, ...more] = await carriersOfRound([write]);
    expect(more).toEqual([]);
    expect(carrier?.entries).toHaveLength(1);
    expect(carrier?.entries?.[0]).toMatchObject({ callId: 'call_1', output: textOutput('written') });
    expectStorable(carrier);
  });

  it('holds cut arguments of calls that stood before a text, too', async () => {
    const [carrier, ...more] = await carriersOfRound([write, { type: 'text', text: 'Done.' }]);
    expect(more).toEqual([]);
    expect(carrier?.entries).toMatchObject([{ callId: 'call_1', output: textOutput('written') }]);
    expectStorable(carrier);
  });

  it('is left alone while it is small', () => {
    const call: CarriedCall = { callId: 'c', name: 'n', arguments: '{"a":1}', output: textOutput('x') };
    const entry = { at: 0, ...call };
    const carrier = toCarrier({ entries: [entry] });
    expect(carrier).toEqual({ v: 2, entries: [entry] });
    expect(carrier?.entries?.[0]).toBe(entry);
  });

  it.each([
    ['one long text', [{ type: 'text' as const, text: 'x'.repeat(400_000) }]],
    ['many short texts', Array.from({ length: 2_000 }, () => ({ type: 'text' as const, text: 'x'.repeat(200) }))],
    ['texts that grow when they are escaped', [{ type: 'text' as const, text: '\u0001'.repeat(100_000) }]],
    [
      'a large file',
      [
        {
          type: 'file' as const,
          mediaType: 'image/png',
          source: { type: 'data' as const, base64: 'A'.repeat(400_000) },
        },
      ],
    ],
  ])('cuts an output of %s', (_name, content) => {
    const call: CarriedCall = { callId: 'c', name: 'n', arguments: '{}', output: { isError: false, content } };
    const capped = toCarrier({ entries: [{ at: 0, ...call }] });
    expect(JSON.stringify(capped).length).toBeLessThanOrEqual(LIMIT);
    expect(JSON.stringify(capped)).toContain('left out');
    expect(capped?.entries?.[0]).toMatchObject({ arguments: '{}' });
  });

  it('is left out if it would contain only an item that is too large', () => {
    const item = { type: 'web_search_call', results: 'A'.repeat(400_000) };
    expect(toCarrier({ entries: [{ at: 0, item }] })).toBeUndefined();
    expect(
      toCarrier({
        entries: [
          { at: 0, item },
          { at: 1, item: SUMMARY },
        ],
      }),
    ).toEqual({
      v: 2,
      entries: [{ at: 1, item: SUMMARY }],
    });
  });

  it('loses what a summary of the server replaces first, and keeps what came behind it whole', () => {
    const item = { type: 'web_search_call', results: 'A'.repeat(100_000) };
    const call: CarriedCall = { callId: 'c', name: 'n', arguments: '{}', output: textOutput('x'.repeat(100_000)) };
    const kept = [
      { at: 2, item: SUMMARY },
      { at: 3, item },
      { at: 4, ...call },
    ];
    expect(toCarrier({ entries: [{ at: 0, item }, { at: 1, item }, ...kept] })).toEqual({ v: 2, entries: kept });
    // While it is small enough nothing is lost.
    const small = [
      { at: 0, item },
      { at: 1, item: SUMMARY },
    ];
    expect(toCarrier({ entries: small })).toEqual({ v: 2, entries: small });
  });

  it('keeps calls that came before the summary: their outputs came behind it', () => {
    const item = { type: 'web_search_call', results: 'A'.repeat(300_000) };
    const kept = [
      { at: 1, callId: 'c', name: 'n', arguments: '{}', output: textOutput('x') },
      { at: 2, item: SUMMARY },
    ];
    expect(toCarrier({ entries: [{ at: 0, item }, ...kept] })).toEqual({ v: 2, entries: kept });
  });
});
