import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/core/call.js';
import { toPushStream } from '../../src/core/push-stream.js';
import type { RoundRequest } from '../../src/core/round.js';
import { askStock } from '../../src/fallback/ask-model.js';
import { createCallIds } from '../../src/loop/call-ids.js';
import { Redactor } from '../../src/observe/redact.js';
import type { Timeouts } from '../../src/settings/model-limits.js';
import { Cancellation } from '../../src/util/abort.js';
import type { ResponsesProviderSettings } from '../../src/index.js';
import { adder } from '../acceptance/support/tools.js';
import { finish, hanging, oddRig, partsOf, question, start, text, type Told, unclosed } from './support/odd-stock.js';

type Prompt = typeof question;
const call = (toolCallId: string, input: unknown, toolName = 'add'): Told => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
});
const sum = (a: number, b: number): string => JSON.stringify({ a, b });
const answer = [start, ...text('0', 'Done.'), finish()];
const results = (parts: readonly Told[]) => parts.filter(({ type }) => type === 'tool-result');
const deltas = (parts: readonly Told[]) => parts.flatMap(({ type, delta }) => (type === 'text-delta' ? [delta] : []));

describe('a stock model that is not OpenAI’s', () => {
  it.each(['text', 'reasoning'])('may begin a %s under an id that is open', async (kind) => {
    const begun = [
      { type: `${kind}-start`, id: '0' },
      { type: `${kind}-delta`, id: '0', delta: 'a' },
    ];
    const { model } = oddRig([[start, ...begun, ...begun, { type: `${kind}-end`, id: '0' }, finish()]]);
    const parts = await partsOf(model);
    expect(unclosed(parts)).toEqual([]);
    expect(parts.filter(({ type }) => type === `${kind}-end`)).toHaveLength(2);
  });

  it('may say something that it never began', async () => {
    const said = [
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'text-delta', id: '0', delta: 'Hello' },
      { type: 'text-delta', id: '0', delta: '.' },
    ];
    const { model } = oddRig([[start, ...said, finish()]]);
    const parts = await partsOf(model);
    expect(deltas(parts)).toEqual(['Hello', '.']);
    expect(parts).toContainEqual(expect.objectContaining({ type: 'reasoning-delta', delta: 'Hm.' }));
    expect(unclosed(parts)).toEqual([]);
  });

  it('may use an id again, in a round and in the next one: each call has an id and an output of its own', async () => {
    const { add, runs } = adder();
    const input = { type: 'tool-input-start', id: 'call_0', toolName: 'add' };
    const { model, given } = oddRig(
      [
        [
          start,
          input,
          { ...input, type: 'tool-input-end' },
          call('call_0', sum(1, 2)),
          call('call_0', sum(3, 4)),
          finish('tool-calls'),
        ],
        [start, call('call_0', sum(5, 6)), finish('stop')],
        answer,
      ],
      { tools: { add }, toolParts: 'all' },
    );
    const parts = await partsOf(model);
    expect(runs).toHaveLength(3);
    expect(new Set(results(parts).map(({ toolCallId }) => toolCallId)).size).toBe(3);
    const outputs = given[2]?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
    expect(outputs?.map(({ output }) => output)).toEqual(['3', '7', '11'].map((value) => ({ type: 'text', value })));
  });

  it('may tell a call twice: it runs once', async () => {
    const { add, runs } = adder();
    const told = [{ type: 'tool-input-start', id: 'c', toolName: 'add' }, call('c', sum(1, 2))];
    const { model } = oddRig([[start, ...told, ...told, finish('tool-calls')], answer], {
      tools: { add },
      toolParts: 'all',
    });
    const parts = await partsOf(model);
    expect(runs).toHaveLength(1);
    expect(parts.filter(({ type }) => type === 'tool-call')).toHaveLength(1);
    expect(unclosed(parts)).toEqual([]);
  });

  it.each([
    ['unknown', 1],
    ['other', 0],
    ['length', 0],
  ])('may end a round of whole calls with "%s"', async (reason, ran) => {
    const { add, runs } = adder();
    const { model } = oddRig([[start, call('c', sum(1, 2)), finish(reason)], answer], { tools: { add } });
    await partsOf(model);
    expect(runs).toHaveLength(ran);
  });

  it('may end without having measured anything: that is no end', async () => {
    const { model } = oddRig([[start, ...text('0', 'Half'), finish('unknown', { inputTokens: Number.NaN })]]);
    const parts = await partsOf(model);
    expect(parts.slice(-2)).toMatchObject([{ type: 'error' }, { type: 'finish', finishReason: 'error' }]);
  });

  it('may hand out inputs that are parsed, and raw chunks of any kind', async () => {
    const { add, runs } = adder();
    const { model } = oddRig(
      [[start, { type: 'raw', rawValue: 'a line' }, call('c', { a: 1, b: 2 }), finish('tool-calls')], answer],
      { tools: { add } },
    );
    const parts = await partsOf(model, { includeRawChunks: true });
    expect(parts).toContainEqual({ type: 'raw', rawValue: 'a line' });
    expect(runs).toEqual([{ a: 1, b: 2 }]);
  });

  it('need not close its stream: its finish is the end', async () => {
    const { stream, wasCancelled } = hanging(answer);
    const { model } = oddRig([stream]);
    expect((await partsOf(model)).at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    await expect.poll(wasCancelled).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['no content', {}],
    ['only a reason', { content: [null, 5], usage: {}, finishReason: 'unknown' }],
  ])('may generate %s: that is no answer', async (_name, result) => {
    const { model } = oddRig([() => result]);
    await expect(model.doGenerate({ prompt: question })).rejects.toThrow(/ended before it was complete/);
  });

  it.each([
    ['a text', 'out of ducks', /out of ducks/],
    ['an error', new Error('out of ducks'), /out of ducks/],
    ['an object', { error: { message: 'out of ducks' } }, /out of ducks/],
    ['nothing', undefined, /without a message/],
  ])('may tell of its failure by %s', async (_name, error, message) => {
    const { model } = oddRig([[start, { type: 'error', error }, finish('error')]]);
    await expect(partsOf(model)).rejects.toThrow(message);
  });

  it('may generate items that no content tells of: they keep their place', async () => {
    const made = [
      { type: 'reasoning', id: 'rs_1' },
      { type: 'mcp_list_tools', id: 'mcpl_1' },
      { type: 'web_search_call', id: 'ws_1' },
      { type: 'compaction', id: 'cmp_1' },
      { type: 'message', id: 'msg_1' },
      { type: 'riddle', id: 'x_1' },
    ];
    const ran = { toolCallId: 'ws_1', toolName: 'web_search', providerExecuted: true };
    const content = [
      { type: 'reasoning', text: 'Hm.', providerMetadata: { openai: { itemId: 'rs_1' } } },
      { type: 'tool-call', ...ran, input: '{}' },
      { type: 'tool-result', ...ran, result: {} },
      { type: 'text', text: 'Yes.', providerMetadata: { openai: { itemId: 'msg_1' } } },
    ];
    const { model } = oddRig([
      () => ({ content, finishReason: 'stop', usage: {}, warnings: [], response: { body: { output: made } } }),
    ]);
    const { content: told } = await model.doGenerate({ prompt: question });
    const [last] = told.flatMap((part) => (part.type === 'text' ? [part.providerMetadata] : []));
    const { carrier, place } = (last?.['responses-loop'] ?? {}) as unknown as {
      carrier: { entries: readonly { at: number; item: { type: string } }[] };
      place: { at: number };
    };
    expect(carrier.entries.map(({ at, item }) => [Math.sign(at - place.at), item.type])).toEqual([
      [-1, 'mcp_list_tools'],
      [-1, 'web_search_call'],
      [-1, 'compaction'],
      [1, 'riddle'],
    ]);
  });
});

describe('what the caller wrote', () => {
  const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  const png = 'https://ducks.test/duck.png';
  const written: Prompt = [
    { role: 'system', content: 'Be brief.', providerOptions: cached },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.', providerOptions: { ...cached, odd: { a: 1 }, openai: { unread: true } } },
        { type: 'text', text: '' },
        { type: 'file', data: new URL(png), mediaType: 'image/png', filename: 'duck.png' },
        { type: 'file', data: 'file-abc', mediaType: 'application/pdf', filename: 'duck.pdf' },
        { type: 'file', data: '/9j/4AA', mediaType: 'image/*', filename: 'photo' },
        { type: 'file', data: new URL('data:application/pdf;base64,SGk='), mediaType: 'application/pdf' },
      ],
      providerOptions: cached,
    },
  ];
  const promptFor = async (settings: ResponsesProviderSettings, prompt: Prompt = written): Promise<unknown> => {
    const { model, given } = oddRig([answer], settings);
    await partsOf(model, { prompt });
    return given[0]?.prompt;
  };

  it('reaches a stock model: names and types of files, and options for other providers', async () => {
    expect(await promptFor({})).toEqual([
      { role: 'system', content: 'Be brief.', providerOptions: cached },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.', providerOptions: { ...cached, odd: { a: 1 } } },
          { type: 'file', data: new URL(png), mediaType: 'image/png', filename: 'duck.png' },
          { type: 'file', data: 'file-abc', mediaType: 'application/pdf', filename: 'duck.pdf' },
          // The format is told by how the data begins, as for the primary.
          { type: 'file', data: '/9j/4AA', mediaType: 'image/jpeg', filename: 'photo' },
          { type: 'file', data: 'SGk=', mediaType: 'application/pdf', filename: 'file.pdf' },
        ],
        providerOptions: cached,
      },
    ]);
  });

  it.each<[string, ResponsesProviderSettings]>([
    ['no carriers are read', { carrier: 'none' }],
    ['they must be signed', { historySecret: 'a secret of at least thirty-two bytes' }],
  ])('reaches it without options for others if histories are not trusted: %s', async (_why, settings) => {
    expect(JSON.stringify(await promptFor(settings))).not.toMatch(/anthropic|"a":1/);
  });

  it('joins its own options with ours', async () => {
    const odd = { a: 1, promptCacheBreakpoint: 'theirs' };
    const providerOptions = { odd, openai: { promptCacheBreakpoint: { mode: 'explicit' } } };
    expect(
      await promptFor({}, [{ role: 'user', content: [{ type: 'text', text: 'Look.', providerOptions }] }]),
    ).toMatchObject([
      {
        content: [
          {
            providerOptions: {
              odd: { a: 1, promptCacheBreakpoint: { mode: 'explicit' } },
              openai: { promptCacheBreakpoint: { mode: 'explicit' } },
            },
          },
        ],
      },
    ]);
  });
});

const NOTHING_HIDDEN = Redactor.of(() => []);

describe('what takes the parts of a stock answer', () => {
  it.each([
    [
      'throws',
      () => {
        throw new Error('too much');
      },
    ],
    ['rejects', () => Promise.reject(new Error('too much'))],
  ] as const)('is asked no more once it %s, and its failure is no failure of the stream', async (_how, fail) => {
    const told = [start, ...text('0', 'Hello'), finish()];
    const taken: string[] = [];
    const { batches } = await askStock({
      model: {
        specificationVersion: 'v2',
        provider: 'odd',
        doStream: async () => ({ stream: hanging(told).stream }),
      } as never,
      options: {},
      call: { stream: true, includeRaw: false } as Call,
      request: {
        index: 0,
        signal: new Cancellation(),
        newIds: () => createCallIds([]).forRound(0),
      } as unknown as RoundRequest,
      timeouts: { headersMs: 0, idleMs: 0 } as Timeouts,
      redactor: NOTHING_HIDDEN,
      forBodies: NOTHING_HIDDEN,
    });
    const reading = toPushStream(batches)((batch) => {
      taken.push(...batch.map(({ type }) => type));
      return batch.some(({ type }) => type === 'text-end') ? fail() : true;
    });
    await expect(reading).rejects.toThrow(/^too much$/);
    expect(taken).not.toContain('round-end');
  });
});
