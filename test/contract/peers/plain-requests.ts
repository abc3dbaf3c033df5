import type { RequestScenario } from '../scenarios/requests.js';
import type { ScenarioTool } from '../scenarios/scenario.js';
import type { Major } from '../sides.js';

type Loose = Readonly<Record<string, unknown>>;

const HELLO = { role: 'user', content: [{ type: 'text', text: 'Ducks?' }] };
const AND = { role: 'user', content: [{ type: 'text', text: 'And?' }] };
export const ADD: ScenarioTool = {
  name: 'add',
  description: 'Adds.',
  parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false },
};

/** With `store: false` both say the same where nothing else is asked for. */
export const asks = (openai: Loose): Loose => ({
  prompt: [HELLO],
  providerOptions: { openai: { store: false, ...openai } },
});

const assistant = (...content: Loose[]): Loose => ({ role: 'assistant', content });
const on = (part: Loose, openai: Loose): Loose => ({ ...part, providerOptions: { openai } });
const call = (openai: Loose = {}): Loose =>
  on({ type: 'tool-call', toolCallId: 'call_1', toolName: 'add', input: { a: 1 } }, openai);
const result = (output: Loose): Loose => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'add', output }],
});
const thought = (openai: Loose): Loose => on({ type: 'reasoning', text: 'Hm.' }, openai);
const file = (major: Major, mediaType: string, data: string | URL, openai: Loose = {}): Loose => {
  const tagged = data instanceof URL ? { type: 'url', url: data } : { type: 'data', data };
  return on({ type: 'file', mediaType, data: major === 4 ? tagged : data }, openai);
};
const turns =
  (made: (major: Major) => readonly Loose[]) =>
  (major: Major): Loose => ({ ...asks({}), prompt: [HELLO, ...made(major), AND] });
const user = (...content: Loose[]): Loose => ({ role: 'user', content });
const picture = (major: Major): Loose => {
  const data = { mediaType: 'image/png', data: 'AQID' };
  return { 2: { type: 'media', ...data }, 3: { type: 'image-data', ...data }, 4: file(4, 'image/png', 'AQID') }[major];
};

const MESSAGES: Readonly<Record<string, (major: Major) => readonly Loose[]>> = {
  'a system message': () => [{ role: 'system', content: 'Be brief.' }],
  'an image': (major) => [user(file(major, 'image/png', 'AQID'))],
  'an image with detail': (major) => [user(file(major, 'image/png', 'AQID', { imageDetail: 'low' }))],
  'an image by URL': (major) => [user(file(major, 'image/png', new URL('https://ducks.test/a.png')))],
  'a PDF by URL': (major) => [user(file(major, 'application/pdf', new URL('https://ducks.test/a.pdf')))],
  'a PDF': (major) => [user(file(major, 'application/pdf', 'AQID'))],
  'a text with its id': () => [assistant(on({ type: 'text', text: 'Ponds.' }, { itemId: 'msg_1' }))],
  'sealed reasoning': () => [
    assistant(thought({ itemId: 'rs_1', reasoningEncryptedContent: 'sealed' }), { type: 'text', text: 'Ponds.' }),
  ],
  'sealed reasoning before a call': () => [
    assistant(thought({ itemId: 'rs_1', reasoningEncryptedContent: 'sealed' }), call({ itemId: 'fc_1' })),
    result({ type: 'text', value: '2' }),
  ],
  'reasoning without a seal': () => [assistant(thought({}), { type: 'text', text: 'Ponds.' })],
  'reasoning with an id only': () => [assistant(thought({ itemId: 'rs_1' }), { type: 'text', text: 'Ponds.' })],
  'a call and its output': () => [assistant(call()), result({ type: 'text', value: '2' })],
  'JSON as an output': () => [assistant(call()), result({ type: 'json', value: { a: [1] } })],
  'an output that is an error': () => [assistant(call()), result({ type: 'error-text', value: 'No.' })],
  'an output with a picture': (major) => [
    assistant(call()),
    result({ type: 'content', value: [{ type: 'text', text: '2' }, picture(major)] }),
  ],
  'what it ran itself': () => [
    assistant(
      { type: 'tool-call', toolCallId: 'ws_1', toolName: 'web_search', input: { query: 'x' }, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'ws_1', toolName: 'web_search', output: { type: 'json', value: {} } },
      { type: 'text', text: 'Ponds.' },
    ),
  ],
};

const CALLS: Readonly<Record<string, Omit<RequestScenario, 'name'>>> = {
  'nothing but a prompt': { call: { prompt: [HELLO] } },
  'sampling settings': { call: { ...asks({}), temperature: 0.5, topP: 0.9, maxOutputTokens: 9, seed: 1 } },
  topK: { call: { ...asks({}), topK: 3 } },
  'settings this API has not': {
    call: { ...asks({}), presencePenalty: 0.1, frequencyPenalty: 0.1, stopSequences: ['x'] },
  },
  'JSON without a schema': { call: { ...asks({}), responseFormat: { type: 'json' } } },
  'JSON with a schema': {
    call: { ...asks({}), responseFormat: { type: 'json', schema: ADD.parameters, name: 'sum', description: 'A sum.' } },
  },
  'headers of the call': { call: { ...asks({}), headers: { 'x-duck': 'mallard' } } },
  'a choice: auto': { call: { ...asks({}), toolChoice: { type: 'auto' } }, tools: [ADD] },
  'a choice: none': { call: { ...asks({}), toolChoice: { type: 'none' } }, tools: [ADD] },
  'a choice: required': { call: { ...asks({}), toolChoice: { type: 'required' } }, tools: [ADD] },
  'a choice: a function': { call: { ...asks({}), toolChoice: { type: 'tool', toolName: 'add' } }, tools: [ADD] },
  'a level of reasoning': { call: { ...asks({}), reasoning: 'xhigh' }, only: [4] },
  'an option that nobody has': { call: asks({ ducks: true }) },
};

/** Every kind of part in a history, and every setting of a call: what any provider of the API can be asked. */
export const PLAIN_REQUESTS: readonly RequestScenario[] = [
  ...Object.entries(MESSAGES).map(([name, made]) => ({ name: `history: ${name}`, call: turns(made), tools: [ADD] })),
  ...Object.entries(CALLS).map(([name, scenario]) => ({ ...scenario, name })),
].map((scenario) => ({ ...scenario, name: `request/${scenario.name}` }));
