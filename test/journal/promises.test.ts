import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { Journal, JournalStep } from 'responses-loop';
import { responseEvents } from 'responses-loop/testing';
import { splitBefore } from '../acceptance/support/rig.js';
import { answer, attempt, calls, Kept, says, tool } from './support/kept.js';

const prompt = 'Go.';

describe('steps of a journal', () => {
  it('bear the keys, kinds and names that are promised', async () => {
    const kept = new Kept();
    const { provider } = attempt(kept.journal(), [calls('a', 'look', 'put'), says('b', 'Done.')], {
      tools: { look: tool([], 'look', { readOnly: true }), put: tool([], 'put') },
    });
    await generateText({ model: provider('gpt-5'), prompt });
    expect(kept.steps).toEqual([
      { key: '0/round/0', kind: 'round', name: 'gpt-5' },
      { key: '0/tool/a_0', kind: 'tool', name: 'look' },
      { key: '0/tool/a_1/start', kind: 'mark', name: 'put' },
      { key: '0/tool/a_1', kind: 'tool', name: 'put' },
      { key: '0/round/1', kind: 'round', name: 'gpt-5' },
    ]);
  });

  it('count the calls of each journal from 0', async () => {
    const [one, two] = [new Kept(), new Kept()];
    const [first, second] = [one.journal(), two.journal()];
    let current: Journal | undefined = first;
    const { provider } = attempt(
      () => current,
      Array.from({ length: 4 }, (_, at) => says(`r${at}`, 'Hi.')),
    );
    const model = provider('gpt-5');
    for (const journal of [first, second, undefined, first]) {
      current = journal;
      await generateText({ model, prompt });
    }
    expect([one.keys, two.keys]).toEqual([['0/round/0', '1/round/0'], ['0/round/0']]);
  });

  it('begin in the order of the calls, whatever `toolConcurrency` says and whoever is asked', async () => {
    const orders = [1, 2, 4, 'auto' as const].map(async (toolConcurrency) => {
      const kept = new Kept();
      // The first marks take the longest to be kept, the first answers the longest to come.
      const journal = kept.journal(
        ({ key }) => new Promise((resolve) => setTimeout(resolve, key.includes('_0') ? 8 : 1)),
      );
      const approve = async ({ arguments: args }: { arguments: Record<string, unknown> }): Promise<boolean> => {
        await new Promise((resolve) => setTimeout(resolve, 6 - 2 * Number(args['at'])));
        return true;
      };
      const tools = { put: tool([], 'put'), look: tool([], 'look', { readOnly: true }) };
      const steps = [calls('a', 'put', 'put', 'look', 'look'), says('b', 'Done.')];
      const { provider } = attempt(journal, steps, { tools, toolConcurrency, approve });
      await generateText({ model: provider('gpt-5'), prompt });
      return kept.keys;
    });
    const order = [0, 1].flatMap((at) => [`0/tool/a_${at}/start`, `0/tool/a_${at}`]);
    const all = ['0/round/0', ...order, '0/tool/a_2', '0/tool/a_3', '0/round/1'];
    expect(await Promise.all(orders)).toEqual([all, all, all, all]);
  });
});

describe('the setting `journal`', () => {
  it('is an object with `step`, or a function, which is asked for every call', async () => {
    class OfAnApp implements Journal {
      readonly keys: string[] = [];
      step<T>({ key }: JournalStep, run: () => Promise<T>): Promise<T> {
        this.keys.push(key);
        return run();
      }
    }
    const journal = new OfAnApp();
    const { provider } = attempt(journal, [says('a', 'Hi.')]);
    await generateText({ model: provider('gpt-5'), prompt });
    expect(journal.keys).toEqual(['0/round/0']);
    for (const wrong of ['restate', {}, { step: true }])
      expect(() => attempt(wrong as never, [])).toThrow(
        'The setting "journal" must be an object with a function "step"',
      );
    const late = attempt((() => ({})) as never, []);
    await expect(generateText({ model: late.provider('gpt-5'), prompt })).rejects.toThrow('must return an object');
  });
});

describe('records of a journal', () => {
  it('are plain JSON of a version, without headers, keys and bodies, with deltas joined', async () => {
    const kept = new Kept();
    const steps = [
      answer('a', [
        { type: 'reasoning', summary: ['One two three'], encrypted: 'sealed' },
        { type: 'text', text: 'Some words in a row.' },
        { type: 'call', name: 'put', arguments: { a: 'long enough for several pieces' }, callId: 'a_0' },
      ]),
      says('b', 'Done.'),
    ];
    const { provider, requests } = attempt(kept.journal(), steps, { tools: { put: tool([], 'put') } });
    await streamText({ model: provider('gpt-5'), prompt: 'A prompt of its own.' }).consumeStream();
    const round = kept.records.get('0/round/0');
    expect(round).toMatchObject({ version: 1, origin: expect.any(String) as unknown });
    const hash: unknown = expect.stringMatching(/^[\da-f]{64}$/);
    expect(round?.['call']).toEqual({
      seed: expect.any(String) as unknown,
      asked: { model: hash, prompt: hash, options: hash },
      tools: [{ name: 'put', source: 'local', tool: 'put' }],
      warnings: [],
    });
    const parts = round?.['parts'] as { type: string }[];
    expect(parts.filter(({ type }) => type.endsWith('-delta')).map(({ type }) => type)).toEqual([
      'reasoning-delta',
      'text-delta',
      'tool-input-delta',
    ]);
    expect(kept.records.get('0/tool/a_0/start')).toEqual({ version: 1, attempt: expect.any(String) as unknown });
    expect(kept.records.get('0/tool/a_0')).toEqual({
      version: 1,
      output: { isError: false, content: [{ type: 'text', text: 'put says so' }] },
    });
    const all = JSON.stringify([...kept.records.values()]);
    for (const secret of ['sk-secret', 'A prompt of its own', 'authorization', 'content-type'])
      expect(all).not.toContain(secret);
    expect(requests).toHaveLength(2);
  });

  it('hold outputs as the model reads them: redacted, and cut', async () => {
    const kept = new Kept();
    const { provider } = attempt(kept.journal(), [calls('a', 'put'), says('b', 'Done.')], {
      tools: { put: tool([], 'put', { execute: () => `secret ${'x'.repeat(500)}` }) },
      maxToolOutputChars: 20,
      redactToolOutput: (output) => ({
        isError: output.isError,
        content: output.content.map((part) =>
          part.type === 'text' ? { ...part, text: part.text.replaceAll('secret', '[gone]') } : part,
        ),
      }),
    });
    await generateText({ model: provider('gpt-5'), prompt });
    const record = JSON.stringify(kept.records.get('0/tool/a_0'));
    expect(record).toContain('[gone]');
    expect(record).toContain('output cut');
    expect(record).not.toContain('secret');
  });

  it('of another version, or none at all, end the call', async () => {
    for (const wrong of [{ version: 2, parts: [] }, 'text', undefined]) {
      const journal: Journal = { step: <T>() => Promise.resolve(wrong as T) };
      const { provider, requests } = attempt(journal, []);
      await expect(generateText({ model: provider('gpt-5'), prompt })).rejects.toMatchObject({ code: 'journal' });
      expect(requests).toEqual([]);
    }
  });
});

describe('a round on its first run', () => {
  it('streams as it comes, but holds back what lets a tool act until the record is kept', async () => {
    const log: string[] = [];
    const kept = new Kept();
    let letKeep = (): void => {};
    const held = new Promise<void>((resolve) => (letKeep = resolve));
    const described = {
      id: 'a',
      output: [
        { type: 'text' as const, text: 'I look.' },
        { type: 'call' as const, name: 'look', arguments: {}, callId: 'a_0' },
        { type: 'call' as const, name: 'mine', arguments: {}, callId: 'a_1' },
      ],
    };
    const [before, after] = splitBefore(responseEvents(described), 'response.completed');
    const keeping = kept.journal();
    // The engine takes its time to keep what the round came to.
    const journal: Journal = {
      step: async <T>(step: JournalStep, run: () => Promise<T>): Promise<T> => {
        const result = await keeping.step(step, run);
        if (step.key === '0/round/0') await held;
        return result;
      },
    };
    const { provider } = attempt(journal, [[...before, ...after]], {
      tools: { look: tool(log, 'look', { readOnly: true }) },
    });
    const seen: string[] = [];
    const { stream } = await provider('gpt-5').doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
      tools: [{ type: 'function', name: 'mine', inputSchema: { type: 'object' } }],
    });
    const reading = (async () => {
      for await (const part of stream as unknown as AsyncIterable<{ type: string }>) seen.push(part.type);
    })();
    await expect.poll(() => kept.records.has('0/round/0')).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).toContain('text-delta');
    expect(seen).not.toContain('tool-call');
    expect(log).toEqual([]);
    letKeep();
    await reading;
    expect(log).toEqual(['run a_0']);
    expect(seen).toContain('tool-call');
  });

  it('holds back calls of the client’s own tools, who would run them', async () => {
    const kept = new Kept();
    let letKeep = (): void => {};
    const held = new Promise<void>((resolve) => (letKeep = resolve));
    const keeping = kept.journal();
    const journal: Journal = {
      step: async <T>(step: JournalStep, run: () => Promise<T>): Promise<T> => {
        const result = await keeping.step(step, run);
        await held;
        return result;
      },
    };
    const round = answer('a', [
      { type: 'text', text: 'Yours.' },
      { type: 'call', name: 'mine', arguments: {}, callId: 'a_0' },
      // Before it a call of the client's goes out at once, where there is no journal.
      { type: 'reasoning', summary: ['What else?'] },
    ]);
    const { provider } = attempt(journal, [round], { carrier: 'none' });
    const seen: string[] = [];
    const { stream } = await provider('gpt-5').doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
      tools: [{ type: 'function', name: 'mine', inputSchema: { type: 'object' } }],
    });
    const reading = (async () => {
      for await (const part of stream as unknown as AsyncIterable<{ type: string }>) seen.push(part.type);
    })();
    await expect.poll(() => kept.records.has('0/round/0')).toBe(true);
    await expect.poll(() => seen).toContain('tool-input-end');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).not.toContain('tool-call');
    letKeep();
    await reading;
    expect(seen).toContain('tool-call');
  });

  it('is read no faster than it is consumed', async () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `word${at} `);
    const events = responseEvents({ id: 'a', output: [{ type: 'text', text }] });
    let sent = 0;
    const bytes = new TextEncoder();
    const fetch = (): Promise<Response> => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const event = events[sent];
          if (event === undefined) return controller.close();
          sent += 1;
          controller.enqueue(bytes.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
        },
      });
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    };
    const kept = new Kept();
    const { provider } = attempt(kept.journal(), [], { fetch });
    const { stream } = await provider('gpt-5').doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    });
    const reader = stream.getReader();
    for (let at = 0; at < 10; at += 1) await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(sent).toBeLessThan(100);
    expect(kept.records.size).toBe(0);
    let isDone = false;
    while (!isDone) ({ done: isDone } = await reader.read());
    expect(kept.records.size).toBe(1);
    expect(JSON.stringify(kept.records.get('0/round/0'))).toContain('word0 word1 word2');
  });
});
