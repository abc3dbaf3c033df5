import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idempotencyKey as keyOf } from '../../../src/tools/mcp/call-tool.js';

interface RunPlace {
  readonly responseId: string | undefined;
  readonly round: number;
  readonly callId: string;
}

const idempotencyKey = (owner: object, { callId, ...rest }: RunPlace, tool = 'tool'): string =>
  keyOf({ owner, ...rest }, callId, tool);

const drawn = (): string => `resp_${crypto.randomUUID().replaceAll('-', '')}`;

describe('the idempotency key of a call', () => {
  it('is the same however often it is asked for', () => {
    const owner = {};
    for (const responseId of [undefined, 'resp_1', drawn()]) {
      const place = { responseId, round: 1, callId: 'call_1' };
      expect(idempotencyKey(owner, place)).toBe(idempotencyKey(owner, { ...place }));
    }
  });

  it('is made of the ids of the server where those are unique', () => {
    const responseId = drawn();
    expect(idempotencyKey({}, { responseId, round: 2, callId: 'call_7' })).toBe(`${responseId}/2/call_7`);
  });

  it('is that of the call when its approval comes twice, where call ids are unique', () => {
    const place = { responseId: undefined, round: 0, callId: `call_${drawn()}` };
    expect(idempotencyKey({}, place)).toBe(idempotencyKey({}, place));
  });

  it('belongs to one conversation where the server counts, or repeats what it said', () => {
    for (const responseId of ['resp_1', 'resp_00000000000000000001', 'resp_aaaaaaaaaaaaaaaaaaaaaaaa', '', drawn()]) {
      const place = { responseId, round: 0, callId: 'call_1' };
      expect(idempotencyKey({}, place)).not.toBe(idempotencyKey({}, place));
    }
  });

  it('belongs to one conversation where call ids are made of the name of the tool and a number, as some models have them', () => {
    const names = ['getCurrentWeatherForCity', 'toBase64OfV2AndSha256', 'pay'];
    for (const tool of names)
      for (const callId of [`functions.${tool}:0`, `call_${tool}_12`, `call_of_a_name_that_we_do_not_know${tool}`]) {
        const place = { responseId: undefined, round: 0, callId };
        expect(idempotencyKey({}, place, tool)).not.toBe(idempotencyKey({}, place, tool));
      }
  });

  it('no two calls of a conversation have the same, whatever the ids are', () => {
    const id = fc.string({ maxLength: 3, unit: fc.constantFrom('a', '/', '1', '%', '+', '\ud800') });
    const place = fc.record({ responseId: fc.option(id, { nil: undefined }), round: fc.nat(3), callId: id });
    fc.assert(
      fc.property(fc.uniqueArray(place, { selector: (run: RunPlace) => JSON.stringify(run) }), (runs) => {
        const owner = {};
        expect(new Set(runs.map((run) => idempotencyKey(owner, run))).size).toBe(runs.length);
      }),
      { numRuns: 300 },
    );
  });
});
