import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { calls as made, replyTo } from '../acceptance/support/rig.js';
import { offered, outputs } from '../acceptance/support/wire.js';
import { attempt, calls, Kept, says, tool } from './support/kept.js';

const prompt = 'Go.';
const LOG = Array.from({ length: 9_000 }, (_, at) => `line ${at}`).join('\n');

/** A journal, and a tool with a long output whose rest the app keeps. */
function keeping() {
  const [kept, texts] = [new Kept(), new Map<string, string>()];
  const settings = {
    tools: { look: tool([], 'look', { readOnly: true, execute: () => LOG }) },
    outputs: { put: (id: string, text: string) => texts.set(id, text), get: (id: string) => texts.get(id) },
  };
  return { kept, texts, settings };
}

describe('an output that was cut before a process died', () => {
  it('is read by the process that goes on, out of the store of the app', async () => {
    const { kept, texts, settings } = keeping();
    const dying = attempt(
      kept.journal(({ key }) => {
        if (key === '0/round/1') throw new Error('the process is gone');
      }),
      [calls('a', 'look')],
      settings,
    );
    await expect(generateText({ model: dying.provider('gpt-5'), prompt })).rejects.toThrow();
    expect([...kept.records.keys()]).toEqual(['0/round/0', '0/tool/a_0']);
    const next = attempt(
      kept.journal(),
      [
        (request) => {
          const [id] = [...texts.keys()];
          return replyTo(request, made('b', ['read_output', { id: id ?? '', from: 30_000, to: 30_008 }, 'b_0']));
        },
        says('c', 'Done.'),
      ],
      settings,
    );
    const { text } = await generateText({ model: next.provider('gpt-5'), prompt });
    expect(text).toBe('Done.');
    expect(offered(next.requests[0])).toEqual(['look', 'read_output']);
    expect(outputs(next.requests[1]).at(-1)?.[1]).toBe(
      `[characters 30000 to 30008 of ${LOG.length}]\n${LOG.slice(30_000, 30_008)}`,
    );
  });

  it('is read under the same name by a call that began with the tool to read it', async () => {
    const { kept, texts, settings } = keeping();
    const first = attempt(undefined, [calls('a', 'look'), says('b', 'Read.')], settings);
    const { response } = await generateText({ model: first.provider('gpt-5'), prompt });
    const messages = [
      { role: 'user' as const, content: prompt },
      ...response.messages,
      { role: 'user' as const, content: 'More.' },
    ];
    const dying = attempt(
      kept.journal(({ key }) => {
        if (key === '0/round/1') throw new Error('the process is gone');
      }),
      [calls('c', 'look')],
      settings,
    );
    await expect(generateText({ model: dying.provider('gpt-5'), messages })).rejects.toThrow();
    const reading = made('d', ['read_output', { id: [...texts.keys()][0] ?? '', to: 4 }, 'd_0']);
    const next = attempt(kept.journal(), [(request) => replyTo(request, reading), says('e', 'Done.')], settings);
    await generateText({ model: next.provider('gpt-5'), messages });
    expect([dying, next].map(({ requests }) => offered(requests[0]))).toEqual([
      ['look', 'read_output'],
      ['look', 'read_output'],
    ]);
    expect(outputs(next.requests[1]).at(-1)?.[1]).toBe(`[characters 0 to 4 of ${LOG.length}]\nline`);
  });
});
