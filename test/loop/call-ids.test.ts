import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCallIds } from '../../src/loop/call-ids.js';
import { shortHash } from '../../src/util/hash.js';
import { brokenRules, partsOf, streamParts } from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { outputs } from '../acceptance/support/wire.js';

/** Ids as they are made for the slots of a round: whoever has read the sources can send them as its own. */
const predicted = (slot: number, attempt: number, promptLength: number): string => {
  const name = `resp_1.${promptLength}.0.${slot}`;
  return `call_${shortHash(attempt === 0 ? name : `${name}.${attempt}`)}`;
};

describe('ids of calls, from a server that knows how they are made', () => {
  const sent = fc.oneof(
    fc.constantFrom('dup', 'call_0', undefined),
    fc.tuple(fc.nat(4), fc.nat(3)).map(([slot, attempt]) => predicted(slot, attempt, 1)),
  );

  it('are unique in the round and in the prompt, whatever the server sends and the history holds', () => {
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 12 }), fc.array(sent, { maxLength: 6 }), (wireIds, history) => {
        const known = history.flatMap((id) => id ?? []);
        const content = known.map((callId) => ({ type: 'tool-call', callId, name: 't', arguments: '{}' }) as const);
        const ids = createCallIds([{ role: 'assistant', content }]).forRound(0);
        const claimed = wireIds.map((id, slot) => ids.claimCallId(id, 'resp_1', String(slot)));
        expect(new Set([...claimed, ...known]).size).toBe(claimed.length + new Set(known).size);
      }),
    );
  });

  it('each of three calls gets its own output, never that of another call', async () => {
    const ran: unknown[] = [];
    const echo = {
      inputSchema: { type: 'object' },
      execute: ({ n }: Readonly<Record<string, unknown>>) => {
        ran.push(n);
        return `output of ${String(n)}`;
      },
    };
    const round = calls(
      'resp_1',
      ['echo', { n: 0 }, predicted(2, 0, 1)],
      ['echo', { n: 1 }, 'dup'],
      ['echo', { n: 2 }, 'dup'],
    );
    const { model, requests } = await rig([reply(round), reply(says('resp_2', 'Done.'))], { tools: { echo } });
    await streamParts(model);
    expect(ran).toEqual([0, 1, 2]);
    expect(outputs(requests[1]).map(([, output]) => output)).toEqual([0, 1, 2].map((n) => `output of ${n}`));
  });

  it('a call inside a wrapper shares its id with no other call of the round', async () => {
    const echo = { inputSchema: { type: 'object' }, execute: (input: unknown) => JSON.stringify(input) };
    const uses = [0, 1].map((n) => ({ recipient_name: 'functions.echo', parameters: { n } }));
    const round = calls(
      'resp_1',
      ['echo', { n: 2 }, 'c_1'],
      ['multi_tool_use.parallel', { tool_uses: uses }, 'c'],
      ['echo', { n: 3 }, 'c_0'],
    );
    const { model } = await rig([reply(round), reply(says('resp_2', 'Done.'))], { tools: { echo }, toolParts: 'all' });
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(new Set(partsOf(parts, 'tool-call').map(({ toolCallId }) => toolCallId)).size).toBe(4);
  });
});
