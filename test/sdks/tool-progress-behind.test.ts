import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { calls, reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { outputs as outputsOf } from '../acceptance/support/wire.js';
import { Kept } from '../journal/support/kept.js';
import { fallbackRig } from './support/fallback.js';
import { FINAL, walking } from './support/progress.js';
import { showsAll } from './support/sdk.js';
import { ROADS } from './support/turns.js';

const turn = [reply(calls('resp_1', ['walk', {}, 'call_1'])), reply(says('resp_2', 'There.'))];
const bye = reply(says('resp_3', 'Bye.'));
const outputs = (request: Rig['requests'][number] | undefined) => outputsOf(request).map(([, text]) => text);
const final = [JSON.stringify(FINAL)];

async function goOn(model: Rig['model'], messages: readonly ModelMessage[]): Promise<void> {
  await generateText({ model, messages: [...messages, { role: 'user', content: 'Thanks.' }] });
}

describe.each(Object.entries(ROADS))('progress of a tool, and the next turn by %s', (name, road) => {
  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('which has the last result alone behind withStockFallback (stock answers: %j, then %j)', async (first, next) => {
    const { walk, watch, runs } = walking(true);
    const settings: ResponsesProviderSettings = { tools: { walk }, toolProgress: 'parts' };
    const played = await fallbackRig([...turn, bye], { settings });
    played.useStock(first);
    const messages = await road({ ...played, model: watch(played.model) }, {});
    played.useStock(next);
    await goOn(played.model, messages);
    expect([runs(), outputs(played.requests[1]), outputs(played.requests[2])]).toEqual([1, final, final]);
    expect(JSON.stringify(played.requests[2]?.input)).not.toContain('the gate');
  });

  it('which has the last result alone with a journal, also if another process ends the turn', async () => {
    const kept = new Kept();
    const { walk, watch, runs } = walking(true);
    const journal = (dies: boolean) =>
      kept.journal(({ key }) => {
        // The process ends when the tool has run, before the answer.
        if (dies && key.includes('round/1')) throw new Error('gone');
      });
    const settings: ResponsesProviderSettings = { backend: 'openai', tools: { walk }, toolProgress: 'parts' };
    const first = await rig(turn.slice(0, 1), { ...settings, journal: journal(true) });
    await road({ ...first, model: watch(first.model) }, { onError: () => {} }).catch(() => {});
    const second = await rig(turn.slice(1), { ...settings, journal: journal(false) });
    const messages = await road(second, {});
    expect(kept.keys.join()).toContain('tool');
    const plain = await rig([bye], settings);
    await goOn(plain.model, messages);
    expect([runs(), outputs(second.requests[0]), outputs(plain.requests[0])]).toEqual([1, final, final]);
    // A step that was recorded is not shown again.
    if (showsAll && name !== 'response.messages of generateText')
      expect(JSON.stringify(messages)).not.toContain('gate');
  });
});
