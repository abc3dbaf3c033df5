import { responseEvents, type ResponseDescription, whole } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { streamParts } from '../acceptance/support/parts.js';
import { rig, reply, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';

/** A hidden call between two texts: its carrier is made before the round has ended. */
const round: ResponseDescription = {
  id: 'resp_1',
  output: [
    { type: 'text', text: 'First.' },
    { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'call_1' },
    { type: 'text', text: 'Then.' },
  ],
};

describe('ids of parts', () => {
  it('do not hang on how the bytes were cut', async () => {
    const events = responseEvents(round);
    const all = await Promise.all(
      [{ events }, { events, rechunk: whole }].map(async (step) => {
        const { model } = await rig([step, reply(says('resp_2', 'Done.'))], { tools: { add: adder().add } });
        return streamParts(model);
      }),
    );
    expect(all[0]).toEqual(all[1]);
  });
});
