import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { OutputDescription, ScriptedStep } from 'responses-loop/testing';
import { signalTower } from '../acceptance/support/tools.js';
import { outline } from '../acceptance/support/wire.js';
import { answer, attempt, Kept, says, tool } from './support/kept.js';

const prompt = 'Go.';
const open: OutputDescription = {
  type: 'item',
  item: { id: 'fc_s', type: 'function_call', call_id: 'slow_0', name: 'slow', arguments: '{}', async: true },
};
const look = (callId: string): OutputDescription => ({ type: 'call', name: 'look', arguments: {}, callId });

/** Tools of which the slow one ends once round 1 has begun. */
function world() {
  const log: string[] = [];
  const { reached, reach } = signalTower();
  const tools = {
    slow: tool(log, 'slow', {
      async: true,
      execute: async (_args, { toolCallId }) => {
        log.push(`run ${toolCallId}`);
        await reached;
        return 'slow says so';
      },
    }),
    look: tool(log, 'look', {
      execute: async (_args, { toolCallId }) => {
        log.push(`run ${toolCallId}`);
        if (toolCallId === 'look_1') reach();
        // Others have their turn before the round is over.
        await new Promise((resolve) => setTimeout(resolve, 20));
        return 'look says so';
      },
    }),
  };
  return { log, tools };
}

const steps: readonly ScriptedStep[] = [
  answer('a', [open, look('look_0')]),
  answer('b', [look('look_1')]),
  says('c', 'Done.'),
];

describe('an async function, with a journal', () => {
  it('is begun before the round that does not wait for it, and the journal keeps which round had its output', async () => {
    const kept = new Kept();
    const { tools } = world();
    const { provider } = attempt(kept.journal(), steps, { tools });
    await generateText({ model: provider('gpt-6'), prompt });
    expect(kept.keys).toEqual([
      '0/round/0',
      '0/tool/slow_0/start',
      '0/tool/slow_0',
      '0/tool/look_0/start',
      '0/tool/look_0',
      '0/between/1',
      '0/round/1',
      '0/tool/look_1/start',
      '0/tool/look_1',
      '0/between/2',
      '0/round/2',
    ]);
    expect(kept.records.get('0/between/1')).toMatchObject({ change: { late: [] } });
    expect(kept.records.get('0/between/2')).toMatchObject({ change: { late: ['slow_0'] } });
  });

  it('never runs twice, and its output comes with the same round in every attempt', async () => {
    const whole = attempt(new Kept().journal(), steps, { tools: world().tools });
    await generateText({ model: whole.provider('gpt-6'), prompt });
    const kept = new Kept();
    const dying = attempt(
      kept.journal(({ key }) => {
        if (key === '0/round/2') throw new Error('the process is gone');
      }),
      steps,
      { tools: world().tools },
    );
    await expect(generateText({ model: dying.provider('gpt-6'), prompt })).rejects.toThrow();
    const { log, tools } = world();
    const next = attempt(kept.journal(), steps.slice(2), { tools });
    const { text } = await generateText({ model: next.provider('gpt-6'), prompt });
    expect(text).toBe('Done.');
    expect(log).toEqual([]);
    expect(outline(next.requests[0])).toEqual(outline(whole.requests[2]));
  });

  it('does not run again if its process died in the run, and the model reads that its outcome is unknown', async () => {
    const kept = new Kept();
    const { tools } = world();
    const dying = attempt(
      kept.journal(({ key }) => {
        if (key === '0/round/1') throw new Error('the process is gone');
      }),
      steps,
      { tools },
    );
    await expect(generateText({ model: dying.provider('gpt-6'), prompt })).rejects.toThrow();
    const second = world();
    const next = attempt(kept.journal(), [...steps.slice(1), says('d', 'Really.')], { tools: second.tools });
    await generateText({ model: next.provider('gpt-6'), prompt });
    expect(second.log).toEqual(['run look_1']);
    const outputs = next.requests.at(-1)?.input.filter(({ call_id }) => call_id === 'slow_0') ?? [];
    expect(outputs.map(({ type }) => type)).toEqual(['function_call', 'function_call_output']);
    expect(outputs[1]?.['output']).toMatch(/^Interrupted: the outcome of this call is unknown/);
  });
});
