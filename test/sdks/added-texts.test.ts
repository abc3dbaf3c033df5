import { describe, expect, it } from 'vitest';
import { calls } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { outline } from '../acceptance/support/wire.js';
import { ROADS, twoTurns } from './support/turns.js';

const rounds = [calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1']), calls('resp_2', ['add', { a: 2, b: 1 }, 'call_2'])];
const note = ({ roundNumber }: { roundNumber: number }) => ({ addMessages: [`Note ${roundNumber}.`] });

describe.each(Object.entries(ROADS))('texts that were added between rounds, kept in %s', (_kept, road) => {
  it('stand in the next turn where the model read them', async () => {
    const { live, next } = await twoTurns(rounds, road, { tools: { add: adder().add }, prepareRound: note });
    const first = ['call add', 'output 2', 'user Note 1.', 'call add', 'output 3', 'user Note 2.'];
    expect(outline(live).slice(1)).toEqual(first);
    expect(outline(next).slice(1, 1 + first.length)).toEqual(first);
  });

  it('stand there also signed, and are left out with carrier none', async () => {
    const historySecret = 'a-secret-of-sixteen-chars';
    const settings = { tools: { add: adder().add }, prepareRound: note };
    const signed = await twoTurns(rounds, road, { ...settings, historySecret });
    expect(outline(signed.next)).toContain('user Note 2.');
    const without = await twoTurns(rounds, road, { ...settings, carrier: 'none' });
    expect(outline(without.live)).toContain('user Note 2.');
    expect(outline(without.next)).not.toContain('user Note 2.');
  });
});
