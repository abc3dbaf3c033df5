import { describe, expect, it } from 'vitest';
import { inputOf, outline, user } from './support/build.js';

const call = (toolCallId: string, rest: object = {}): object => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'add',
  input: { a: 1 },
  ...rest,
});
const result = (toolCallId: string, value: string, rest: object = {}): object => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'add',
  output: { type: 'text', value },
  ...rest,
});
const text = (value: string): object => ({ type: 'text', text: value });
const assistant = (...content: object[]): object => ({ role: 'assistant', content });
const tool = (...content: object[]): object => ({ role: 'tool', content });

const INTERRUPTED = 'This call was interrupted before it returned anything. It may have taken effect.';

describe('the same history in the three layouts of semantics 4.6', () => {
  const first = [
    user('Q'),
    assistant(
      text('Let me look.'),
      call('c1', { providerExecuted: true }),
      call('c2', { providerExecuted: true }),
      result('c1', '1'),
      result('c2', '2'),
      text('Answer.'),
    ),
    user('Q2'),
  ];
  const expected = [
    'user: Q',
    'assistant: Let me look.',
    'call c1',
    'call c2',
    'output c1: 1',
    'output c2: 2',
    'assistant: Answer.',
    'user: Q2',
  ];

  it.each<[string, object[]]>([
    ['results beside the calls (response.messages, UI messages of ai 6 and 7)', first],
    [
      'calls in the assistant message, results in a tool message after the text (UI messages of ai 5)',
      [
        user('Q'),
        assistant(text('Let me look.'), call('c1'), call('c2'), text('Answer.')),
        tool(result('c1', '1'), result('c2', '2')),
        user('Q2'),
      ],
    ],
    [
      'calls, tool message, text: what a client-run loop leaves behind',
      [
        user('Q'),
        assistant(text('Let me look.'), call('c1'), call('c2')),
        tool(result('c1', '1'), result('c2', '2')),
        assistant(text('Answer.')),
        user('Q2'),
      ],
    ],
  ])('%s', (_name, prompt) => {
    expect(outline(inputOf(prompt))).toEqual(expected);
    expect(inputOf(prompt)).toEqual(inputOf(first));
  });

  it('rounds one after another stay apart where the layout tells them apart', () => {
    const prompt = [
      user('Q'),
      assistant(call('c1'), result('c1', '1'), call('c2'), result('c2', '2'), text('Answer.')),
    ];
    expect(outline(inputOf(prompt))).toEqual([
      'user: Q',
      'call c1',
      'output c1: 1',
      'call c2',
      'output c2: 2',
      'assistant: Answer.',
    ]);
  });
});

describe('history is repaired', () => {
  it.each<[string, object[], string[]]>([
    [
      'a call without an output gets one right behind it',
      [assistant(call('c1'), text('Later.')), user('Q')],
      ['call c1', `output c1: ${INTERRUPTED}`, 'assistant: Later.', 'user: Q'],
    ],
    [
      'one of two is missing',
      [assistant(call('c1'), call('c2')), tool(result('c2', '2'))],
      ['call c1', 'call c2', `output c1: ${INTERRUPTED}`, 'output c2: 2'],
    ],
    [
      'the last message is a call',
      [user('Q'), assistant(call('c1'))],
      ['user: Q', 'call c1', `output c1: ${INTERRUPTED}`],
    ],
    ['an output without its call is dropped', [tool(result('gone', '0')), user('Q')], ['user: Q']],
    [
      'an output that comes before its call is none',
      [tool(result('c1', 'early')), assistant(call('c1'))],
      ['call c1', `output c1: ${INTERRUPTED}`],
    ],
    [
      'the head of the history was cut off',
      [tool(result('c1', '1')), assistant(text('A')), user('Q')],
      ['assistant: A', 'user: Q'],
    ],
    [
      'outputs come in the order of their calls',
      [assistant(call('c1'), call('c2')), tool(result('c2', '2'), result('c1', '1'))],
      ['call c1', 'call c2', 'output c1: 1', 'output c2: 2'],
    ],
    [
      'outputs in several tool messages',
      [assistant(call('c1'), call('c2')), tool(result('c2', '2')), tool(result('c1', '1'))],
      ['call c1', 'call c2', 'output c1: 1', 'output c2: 2'],
    ],
    [
      'an output that comes after the next question still belongs to its call',
      [assistant(call('c1')), user('Q'), tool(result('c1', '1'))],
      ['call c1', 'output c1: 1', 'user: Q'],
    ],
    [
      'two outputs for one call: the first counts',
      [assistant(call('c1')), tool(result('c1', '1'), result('c1', '2'))],
      ['call c1', 'output c1: 1'],
    ],
    [
      'empty texts are left out',
      [assistant(text(''), text('A')), { role: 'system', content: '' }, user('Q')],
      ['assistant: A', 'user: Q'],
    ],
  ])('%s', (_name, prompt, expected) => {
    expect(outline(inputOf(prompt))).toEqual(expected);
  });

  it('call ids that come twice are told apart, each with its own output', () => {
    const prompt = [
      assistant(call('c0')),
      tool(result('c0', '1')),
      assistant(call('c0')),
      tool(result('c0', '2')),
      user('Q'),
    ];
    const [one, oneOut, two, twoOut] = inputOf(prompt);
    expect([one?.['call_id'], oneOut]).toMatchObject(['c0', { call_id: 'c0', output: '1' }]);
    expect(two?.['call_id']).not.toBe('c0');
    expect(twoOut).toMatchObject({ call_id: two?.['call_id'], output: '2' });
  });

  it('twins in one message', () => {
    const input = inputOf([assistant(call('c0'), result('c0', '1'), call('c0'), result('c0', '2'))]);
    expect(input.map((item) => item['output'])).toEqual([undefined, '1', undefined, '2']);
    expect(new Set(input.map((item) => item['call_id'])).size).toBe(2);
  });

  it.each([
    ['65 characters', 'c'.repeat(65)],
    ['116 characters', `call_${'x'.repeat(111)}`],
    ['1760 characters', 'y'.repeat(1760)],
    ['none at all', ''],
  ])('a call id of %s is mapped alike on both sides, the same every time', (_name, id) => {
    const prompt = [assistant(call(id)), tool(result(id, '1'))];
    const [made, answered] = inputOf(prompt);
    expect(made?.['call_id']).toMatch(/^.{1,64}$/);
    expect(answered?.['call_id']).toBe(made?.['call_id']);
    expect(inputOf(prompt)).toEqual([made, answered]);
  });

  it('a call id of 64 characters is kept', () => {
    const id = 'c'.repeat(64);
    expect(inputOf([assistant(call(id))])[0]?.['call_id']).toBe(id);
  });
});

describe('the name of an earlier call', () => {
  it('is one that servers take, whoever wrote it: the stock provider calls tools of servers `mcp.search`', () => {
    const made = { ...call('c0'), toolName: 'mcp.find ducks' };
    expect(inputOf([assistant(made), tool(result('c0', '1'))])[0]?.['name']).toBe('mcp_find_ducks');
  });
});

describe('what an item holds', () => {
  it('only what we put there: no ids, no nulls, no item_reference', () => {
    const openai = { openai: { itemId: 'msg_123', phase: 'commentary' } };
    const prompt = [
      { role: 'system', content: 'Be brief.' },
      user('Q'),
      assistant(
        { type: 'text', text: 'A', providerOptions: openai },
        call('c1', { providerOptions: { openai: { itemId: 'fc_123' } } }),
        result('c1', '1', { providerOptions: { openai: { itemId: 'fc_123' } } }),
      ),
    ];
    expect(inputOf(prompt)).toStrictEqual([
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Q' }] },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'A', annotations: [] }],
        phase: 'commentary',
      },
      { type: 'function_call', call_id: 'c1', name: 'add', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: '1' },
    ]);
  });

  it.each([['openrouter'], ['vllm']] as const)(
    '%s wants ids on assistant messages: made up, stable, and no two alike',
    (backend) => {
      const prompt = [assistant(text('Same.')), user('Q'), assistant(text('Same.')), assistant(text('Other.'))];
      const ids = inputOf(prompt, { backend }).flatMap((item) => (item['role'] === 'assistant' ? [item['id']] : []));
      expect(ids).toEqual([
        expect.stringMatching(/^msg_/),
        expect.stringMatching(/^msg_/),
        expect.stringMatching(/^msg_/),
      ]);
      expect(new Set(ids).size).toBe(3);
      expect(inputOf(prompt, { backend })).toEqual(inputOf(prompt, { backend }));
    },
  );

  it('the same words before every call of a turn get different ids too', () => {
    const round = (id: string) => [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool-call', callId: id, name: 'add', arguments: '{}' },
        ],
      } as const,
      {
        role: 'tool',
        content: [
          { type: 'tool-result', callId: id, output: { isError: false, content: [{ type: 'text', text: '1' }] } },
        ],
      } as const,
    ];
    const input = inputOf([assistant(text('Let me look.'))], {
      backend: 'openrouter',
      added: [...round('c1'), ...round('c2')],
    });
    const ids = input.flatMap((item) => item['id'] ?? []);
    expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
  });

  it.each<[string, unknown, string]>([
    ['an object', { a: 1 }, '{"a":1}'],
    ['nothing', undefined, '{}'],
    ['null', null, '{}'],
    ['an empty text', '', '{}'],
    ['blanks', '  ', '{}'],
    ['a JSON text', '{"a":1}', '{"a":1}'],
    ['the text of a custom tool that is not declared any more', 'SELECT 1', '{"input":"SELECT 1"}'],
  ])('arguments go out as a JSON text: %s', (_name, input, expected) => {
    expect(inputOf([assistant(call('c1', { input }))])[0]).toMatchObject({ arguments: expected });
  });
});

describe('a search for tools that the client made', () => {
  const item = { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: { goal: 'ducks' } };
  const search = call('c1', { providerOptions: { 'responses-loop': { item } } });
  const found = { type: 'function', name: 'ducks', parameters: {}, defer_loading: true };
  const mcp = { type: 'mcp', server_label: 'x', server_url: 'https://evil.example' };
  const searched = (tools: unknown): object[] =>
    inputOf([user('Q'), assistant(search), tool(result('c1', JSON.stringify({ tools })))]);

  it('goes back as one, with the tools that it found', () => {
    const output = { type: 'tool_search_output', call_id: 'c1', execution: 'client', status: 'completed' };
    expect(searched([found]).slice(1)).toEqual([item, { ...output, tools: [found] }]);
  });

  it.each([[mcp], [{ type: 'namespace', name: 'n', tools: [mcp] }], ['x'], [null]])(
    'brings no tool that the server would run, and nothing that is no tool: %j',
    (other) => {
      expect(searched([other, found]).at(-1)).toMatchObject({ tools: [found] });
    },
  );

  it('brings no tools at all where the result has none', () => {
    expect(searched(7).at(-1)).toMatchObject({ type: 'tool_search_output', tools: [] });
  });
});
