import { describe, expect, it } from 'vitest';
import type { CarriedCall, Carrier } from '../../src/core/carrier.js';
import { textOutput } from '../../src/core/message.js';
import { toCarrier } from '../../src/loop/carrier-writer.js';
import { type Part, streamParts } from '../acceptance/support/parts.js';
import { reply, rig, says } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';

const LIMIT = 256_000;
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
  for (const call of [...(carrier?.calls ?? []), ...(carrier?.callsBefore ?? [])]) {
    expect(() => JSON.parse(call.arguments) as unknown).not.toThrow();
    expect(call.arguments).toContain('left out');
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
    expect(carrier?.calls).toHaveLength(1);
    expect(carrier?.calls?.[0]).toMatchObject({ callId: 'call_1', output: textOutput('written') });
    expectStorable(carrier);
  });

  it('holds cut arguments of calls that stood before a text, too', async () => {
    const [carrier] = await carriersOfRound([write, { type: 'text', text: 'Done.' }]);
    expect(carrier?.callsBefore).toHaveLength(1);
    expect(carrier?.outputs).toHaveLength(1);
    expectStorable(carrier);
  });

  it('is left alone while it is small', () => {
    const call: CarriedCall = { callId: 'c', name: 'n', arguments: '{"a":1}', output: textOutput('x') };
    const carrier = toCarrier({ calls: [call] });
    expect(carrier).toEqual({ v: 1, calls: [call] });
    expect(carrier?.calls?.[0]).toBe(call);
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
    const capped = toCarrier({ calls: [call] });
    expect(JSON.stringify(capped).length).toBeLessThanOrEqual(LIMIT);
    expect(JSON.stringify(capped)).toContain('left out');
    expect(capped?.calls?.[0]?.arguments).toBe('{}');
  });

  it('leaves nothing behind of one that held only an item too large to keep', () => {
    const item = { type: 'web_search_call', results: 'A'.repeat(400_000) };
    expect(toCarrier({ before: [item] })).toBeUndefined();
    expect(toCarrier({ before: [item], after: [{ type: 'compaction', encrypted_content: 'sealed' }] })).toEqual({
      v: 1,
      after: [{ type: 'compaction', encrypted_content: 'sealed' }],
    });
  });

  it('loses what a summary of the server replaces first, and keeps what came behind it whole', () => {
    const item = { type: 'web_search_call', results: 'A'.repeat(100_000) };
    const summary = { type: 'compaction', encrypted_content: 'sealed' };
    const call: CarriedCall = { callId: 'c', name: 'n', arguments: '{}', output: textOutput('x'.repeat(100_000)) };
    const behind = { after: [summary, item], calls: [call] };
    expect(toCarrier({ before: [item, item], ...behind })).toEqual({ v: 1, ...behind });
    expect(toCarrier({ before: [item, item, summary, item], calls: [call] })).toEqual({
      v: 1,
      before: [summary, item],
      calls: [call],
    });
    // While it is small enough nothing is lost.
    expect(toCarrier({ before: [item], after: [summary] })).toEqual({ v: 1, before: [item], after: [summary] });
  });

  it('keeps calls that stood before the summary: their outputs came behind it', () => {
    const item = { type: 'web_search_call', results: 'A'.repeat(300_000) };
    const summary = { type: 'compaction', encrypted_content: 'sealed' };
    const callsBefore = [{ callId: 'c', name: 'n', arguments: '{}' }];
    const outputs = [{ callId: 'c', output: textOutput('x') }];
    expect(toCarrier({ before: [item], callsBefore, after: [summary], outputs })).toEqual({
      v: 1,
      callsBefore,
      after: [summary],
      outputs,
    });
  });
});
