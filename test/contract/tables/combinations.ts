import type { RequestScenario } from '../scenarios/requests.js';
import type { Scenario } from '../scenarios/scenario.js';
import { TOOL_CHOICES } from './tool-choices.js';

type Loose = Readonly<Record<string, unknown>>;
type Combination = RequestScenario;

const text = (said: string, openai?: Loose): Loose => ({
  type: 'text',
  text: said,
  ...(openai !== undefined && { providerOptions: { openai } }),
});
const user = (said: string): Loose => ({ role: 'user', content: [text(said)] });
const assistant = (said: string, openai?: Loose): Loose => ({ role: 'assistant', content: [text(said, openai)] });
const asking = (openai: Loose, more: Loose = {}): Loose => ({
  prompt: [user('Ducks?')],
  providerOptions: { openai: { store: true, ...openai } },
  ...more,
});

const ADD = { name: 'add', description: 'Adds.', parameters: { type: 'object', properties: {} } } as const;
const SEARCH: Scenario['hosted'] = { look: (make) => make['webSearch']?.({}) };
const FORMAT = { type: 'json', schema: { type: 'object', properties: {} } };

const OPTIONS: readonly Combination[] = [
  {
    name: 'textFormat and a schema of the answer',
    call: asking({ textFormat: { type: 'text' } }, { responseFormat: FORMAT }),
    only: [3, 4],
  },
  {
    name: 'textVerbosity and a schema of the answer',
    call: asking({ textVerbosity: 'low' }, { responseFormat: FORMAT }),
  },
  {
    name: 'strictJsonSchema: false and a schema',
    call: asking({ strictJsonSchema: false }, { responseFormat: FORMAT }),
  },
  {
    name: 'includeWebSearchSources: false and a web search',
    call: asking({ includeWebSearchSources: false }),
    hosted: SEARCH,
    only: [4],
  },
  {
    name: 'compactionTrigger behind a history',
    call: {
      prompt: [user('Ducks?'), assistant('Ponds.'), user('And?')],
      providerOptions: { openai: { store: false, compactionTrigger: true } },
    },
    only: [4],
  },
  {
    name: 'conversation and previousResponseId',
    call: asking({ conversation: 'conv_1', previousResponseId: 'resp_0' }),
  },
  {
    name: 'systemMessageMode: remove, with a system message',
    call: {
      prompt: [{ role: 'system', content: 'Be brief.' }, user('Ducks?')],
      providerOptions: { openai: { store: true, systemMessageMode: 'remove' } },
    },
    only: [3, 4],
  },
  {
    name: 'passThroughUnsupportedFiles and a text file without a name',
    call: (major) => ({
      prompt: [
        {
          role: 'user',
          content: [
            { type: 'file', mediaType: 'text/csv', data: major === 4 ? { type: 'data', data: 'AQID' } : 'AQID' },
          ],
        },
      ],
      providerOptions: { openai: { store: true, passThroughUnsupportedFiles: true } },
    }),
    only: [3, 4],
  },
  { name: 'reasoning of the call', call: asking({}, { reasoning: 'high' }), only: [4] },
  { name: 'reasoning of the call: none', call: asking({}, { reasoning: 'none' }), only: [4] },
  {
    name: 'forceReasoning and temperature',
    model: 'ducks',
    call: asking({ forceReasoning: true }, { temperature: 0.5 }),
    only: [3, 4],
  },
  { name: 'serviceTier flex of a model that has none', model: 'gpt-4o', call: asking({ serviceTier: 'flex' }) },
  {
    name: 'reasoningMode of a model that does not reason',
    model: 'gpt-4o',
    call: asking({ reasoningMode: 'pro', reasoningContext: 'auto' }),
  },
];

const conversation = (...turns: Loose[]): Loose => ({
  prompt: turns,
  providerOptions: { openai: { store: true, conversation: 'conv_1' } },
});

const SEEDS: readonly Combination[] = [
  {
    name: 'conversation: what was never at the server',
    call: conversation(user('My name is Ada.'), assistant('Hello Ada.'), user('Who am I?')),
  },
  { name: 'conversation: a prompt that ends with an answer', call: conversation(user('a'), assistant('Prefill')) },
  {
    name: 'conversation: what the server has',
    call: conversation(user('a'), assistant('Hello.', { itemId: 'msg_1' }), user('And?')),
  },
];

/** One call that the stock provider made two of. */
const apart = (options: Loose): Loose => {
  const of = (index: number): Loose => ({
    openai: {
      parallelToolCall: {
        itemId: 'fc_1',
        toolCallId: 'call_p',
        toolName: 'parallel',
        index,
        count: 2,
        ...(index === 0 && { input: '{"tool_uses":[]}' }),
      },
    },
  });
  const call = (index: number): Loose => ({
    type: 'tool-call',
    toolCallId: `call_p_${index}`,
    toolName: 'add',
    input: {},
    providerOptions: of(index),
  });
  const result = (index: number): Loose => ({
    type: 'tool-result',
    toolCallId: `call_p_${index}`,
    toolName: 'add',
    output: { type: 'text', value: '2' },
    providerOptions: of(index),
  });
  return {
    prompt: [
      user('Ducks?'),
      { role: 'assistant', content: [call(0), call(1)] },
      { role: 'tool', content: [result(0), result(1)] },
    ],
    providerOptions: { openai: { store: true, ...options } },
  };
};

const PARALLEL: readonly Combination[] = [
  { name: 'parallel calls taken apart, with nothing kept', call: apart({ store: false }), tools: [ADD], only: [3, 4] },
  {
    name: 'parallel calls taken apart, with a conversation',
    call: apart({ conversation: 'conv_1' }),
    tools: [ADD],
    only: [3, 4],
  },
  {
    name: 'parallel calls taken apart, with previousResponseId',
    call: apart({ previousResponseId: 'resp_0' }),
    tools: [ADD],
    only: [3, 4],
  },
];

const underAzure = (azure: Loose, openai?: Loose): Loose => ({
  prompt: [user('Ducks?')],
  providerOptions: { azure, ...(openai !== undefined && { openai }) },
});

/** Azure's provider is the same one by another name, and reads its options under both names. */
const AZURE: readonly Combination[] = [
  {
    name: 'azure: options of the call',
    vendor: 'azure',
    call: underAzure({ store: true, reasoningSummary: 'auto', promptCacheKey: 'key' }),
    only: [3, 4],
  },
  {
    name: 'azure: both names',
    vendor: 'azure',
    call: underAzure({ store: true, user: 'a' }, { user: 'b' }),
    only: [3, 4],
  },
  {
    name: 'azure: options of parts',
    vendor: 'azure',
    call: {
      prompt: [
        {
          role: 'user',
          content: [{ ...text('Long.'), providerOptions: { azure: { promptCacheBreakpoint: { mode: 'explicit' } } } }],
        },
      ],
      providerOptions: { azure: { store: true } },
    },
    only: [3, 4],
  },
  {
    name: 'azure: options of a function',
    vendor: 'azure',
    call: underAzure({ store: true }),
    tools: [{ ...ADD, providerOptions: { azure: { deferLoading: true } } }],
    only: [3, 4],
  },
];

/** Several things at once, where one changes what another one means. */
export const COMBINATIONS: readonly Combination[] = [...TOOL_CHOICES, ...OPTIONS, ...SEEDS, ...PARALLEL, ...AZURE];
