import type { Major } from '../sides.js';
import type { Scenario } from './scenario.js';

type Loose = Readonly<Record<string, unknown>>;

/** A call, for what is sent for it. */
export interface RequestScenario {
  readonly name: string;
  readonly model?: string;
  /** In the words of the specification, without what the declared tools say; a function where its majors differ. */
  readonly call: Loose | ((major: Major) => Loose);
  /** Under which name both providers go. Default `openai`. */
  readonly vendor?: 'azure';
  readonly tools?: Scenario['tools'];
  readonly hosted?: Scenario['hosted'];
  /** Majors that know these words; all where none are named. */
  readonly only?: readonly Major[];
}

const user = (...content: Loose[]): Loose => ({ role: 'user', content });
const text = (said: string, openai?: Loose): Loose => ({
  type: 'text',
  text: said,
  ...(openai !== undefined && { providerOptions: { openai } }),
});
const HELLO = user(text('Ducks?'));
const openai = (options: Loose): Loose => ({ prompt: [HELLO], providerOptions: { openai: options } });
/** V4 spells the data of files in another way. */
const file = (mediaType: string, data: unknown, more: Loose = {}): Omit<RequestScenario, 'name'> => ({
  call: { prompt: [user(text('Look.'), { type: 'file', mediaType, data, ...more })] },
  only: [2, 3],
});
const SCHEMA = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'], additionalProperties: false };
const ADD = { name: 'add', description: 'Adds.', parameters: SCHEMA } as const;
const called = (openaiOptions?: Loose, input: unknown = { a: 1 }): Loose => ({
  type: 'tool-call',
  toolCallId: 'call_1',
  toolName: 'add',
  input,
  ...(openaiOptions !== undefined && { providerOptions: { openai: openaiOptions } }),
});
const result = (output: Loose): Loose => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'add', output }],
});
const assistant = (...content: Loose[]): Loose => ({ role: 'assistant', content });
const thought = (said: string, options?: Loose): Loose => ({ ...text(said, options), type: 'reasoning' });
const history = (store: boolean, ...turns: Loose[]): Loose => ({
  prompt: [HELLO, ...turns, user(text('And?'))],
  providerOptions: { openai: { store } },
});
const answered = (output: Loose): Loose => history(false, assistant(called()), result(output));
const SEALED = { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' };

const CALLS: Readonly<Record<string, Omit<RequestScenario, 'name'>>> = {
  'nothing but a prompt': { call: { prompt: [HELLO] } },
  'store: true': { call: openai({ store: true }) },
  'store: false': { call: openai({ store: false }) },
  'a model that does not reason': { model: 'gpt-4o', call: openai({ store: false }) },
  'a system message': { call: { prompt: [{ role: 'system', content: 'Be brief.' }, HELLO] } },
  'a system message for a model that does not reason': {
    model: 'gpt-4o',
    call: { prompt: [{ role: 'system', content: 'Be brief.' }, HELLO] },
  },
  'sampling settings': {
    model: 'gpt-4o',
    call: { prompt: [HELLO], temperature: 0.5, topP: 0.9, maxOutputTokens: 100 },
  },
  'sampling settings of a reasoning model': { call: { prompt: [HELLO], temperature: 0.5, topP: 0.9 }, model: 'gpt-5' },
  'settings this API has not': {
    call: { prompt: [HELLO], topK: 3, seed: 1, presencePenalty: 0.1, frequencyPenalty: 0.1, stopSequences: ['x'] },
  },
  'headers of the call': { call: { prompt: [HELLO], headers: { 'x-duck': 'mallard' } } },
  'JSON without a schema': { call: { prompt: [HELLO], responseFormat: { type: 'json' } } },
  'JSON with a schema': {
    call: { prompt: [HELLO], responseFormat: { type: 'json', schema: SCHEMA, name: 'sum', description: 'A sum.' } },
  },
  'JSON with a strict schema': {
    call: { ...openai({ strictJsonSchema: true }), responseFormat: { type: 'json', schema: SCHEMA } },
  },
  'a function': { call: { prompt: [HELLO] }, tools: [ADD] },
  'tool choice auto': { call: { prompt: [HELLO], toolChoice: { type: 'auto' } }, tools: [ADD] },
  'tool choice none': { call: { prompt: [HELLO], toolChoice: { type: 'none' } }, tools: [ADD] },
  'tool choice required': { call: { prompt: [HELLO], toolChoice: { type: 'required' } }, tools: [ADD] },
  'tool choice by name': { call: { prompt: [HELLO], toolChoice: { type: 'tool', toolName: 'add' } }, tools: [ADD] },
  'strictJsonSchema with a function': { call: openai({ strictJsonSchema: true }), tools: [ADD] },
  'web search': {
    call: { prompt: [HELLO] },
    hosted: {
      web_search: (make) =>
        make['webSearch']?.({
          searchContextSize: 'low',
          userLocation: { type: 'approximate', country: 'NO' },
          filters: { allowedDomains: ['ducks.test'] },
        }),
    },
  },
  'file search': {
    call: { prompt: [HELLO] },
    hosted: {
      file_search: (make) =>
        make['fileSearch']?.({
          vectorStoreIds: ['vs_1'],
          maxNumResults: 3,
          ranking: { ranker: 'auto', scoreThreshold: 0.5 },
          filters: { key: 'a', type: 'eq', value: 'b' },
        }),
    },
  },
  'code interpreter': {
    call: { prompt: [HELLO] },
    hosted: { code_interpreter: (make) => make['codeInterpreter']?.({ container: { fileIds: ['file-1'] } }) },
  },
  'image generation': {
    call: { prompt: [HELLO] },
    hosted: { image_generation: (make) => make['imageGeneration']?.({ outputFormat: 'webp', inputFidelity: 'low' }) },
  },
  'local shell': { call: { prompt: [HELLO] }, hosted: { local_shell: (make) => make['localShell']?.({}) } },
  'an image by URL': file('image/png', new URL('https://ducks.test/a.png')),
  'an image': file('image/png', new Uint8Array([1, 2, 3])),
  'an image in base64': file('image/*', 'AQID'),
  'an image with detail': file('image/png', 'AQID', { providerOptions: { openai: { imageDetail: 'low' } } }),
  'an image the server keeps': file('image/png', 'file-abc'),
  'a PDF': file('application/pdf', 'AQID', { filename: 'ducks.pdf' }),
  'a PDF without a name': file('application/pdf', 'AQID'),
  'a PDF by URL': file('application/pdf', new URL('https://ducks.test/a.pdf')),
  'a text file': file('text/plain', 'AQID', { filename: 'a.txt' }),
  'two parts of a user message': { call: { prompt: [user(text('One.'), text('Two.'))] } },
  'history: text': { call: history(false, assistant(text('Ponds.'))) },
  'history: text with its id and phase': {
    call: history(false, assistant(text('Ponds.', { itemId: 'msg_1', phase: 'final_answer' }))),
  },
  'history: text, kept by the server': { call: history(true, assistant(text('Ponds.', { itemId: 'msg_1' }))) },
  'history: call and output': { call: answered({ type: 'json', value: { sum: 2 } }) },
  'history: call with its id, kept by the server': {
    call: history(true, assistant(called({ itemId: 'fc_1' })), result({ type: 'text', value: '2' })),
  },
  'history: output as text': { call: answered({ type: 'text', value: '2' }) },
  'history: output that is an error': { call: answered({ type: 'error-text', value: 'No.' }) },
  'history: output that is an error in JSON': { call: answered({ type: 'error-json', value: { no: true } }) },
  'history: output with text parts': { call: answered({ type: 'content', value: [{ type: 'text', text: '2' }] }) },
  'history: output with a picture': {
    only: [2],
    call: answered({ type: 'content', value: [{ type: 'media', mediaType: 'image/png', data: 'AQID' }] }),
  },
  'history: a call without an output': { call: history(false, assistant(called())) },
  'history: an output without a call': { call: history(false, result({ type: 'text', value: '2' })) },
  'history: sealed reasoning': { call: history(false, assistant(thought('Hm.', SEALED), text('Ponds.'))) },
  'history: sealed reasoning in two parts': {
    call: history(false, assistant(thought('One.', SEALED), thought('Two.', SEALED), text('Ponds.'))),
  },
  'history: sealed reasoning before a call': {
    call: history(
      false,
      assistant(thought('Hm.', SEALED), called({ itemId: 'fc_1' })),
      result({ type: 'text', value: '2' }),
    ),
  },
  'history: reasoning without its seal': {
    call: history(false, assistant(thought('Hm.', { itemId: 'rs_1' }), text('Ponds.'))),
  },
  'history: reasoning of another provider': { call: history(false, assistant(thought('Hm.'), text('Ponds.'))) },
  'history: reasoning, kept by the server': {
    call: history(true, assistant(thought('Hm.', { itemId: 'rs_1' }), text('Ponds.', { itemId: 'msg_1' }))),
  },
  'every option': {
    call: openai({
      store: true,
      instructions: 'Be brief.',
      metadata: { duck: 'mallard' },
      parallelToolCalls: false,
      promptCacheKey: 'key',
      promptCacheRetention: '24h',
      reasoningEffort: 'low',
      reasoningSummary: 'auto',
      safetyIdentifier: 'duck',
      serviceTier: 'auto',
      textVerbosity: 'low',
      truncation: 'auto',
      user: 'u',
      maxToolCalls: 3,
      include: ['file_search_call.results'],
    }),
    tools: [ADD],
  },
  previousResponseId: { call: openai({ store: true, previousResponseId: 'resp_0' }) },
  conversation: { call: openai({ store: true, conversation: 'conv_1' }) },
  'logprobs: true': { model: 'gpt-4o', call: openai({ logprobs: true }) },
  'logprobs: 3': { model: 'gpt-4o', call: openai({ logprobs: 3 }) },
  'reasoning options of a model that does not reason': {
    model: 'gpt-4o',
    call: openai({ reasoningEffort: 'low', reasoningSummary: 'auto' }),
  },
  'an option nobody knows': { call: openai({ store: true, ducks: 3 }) },
};

/** Calls that are put together by hand; those of the tables are in `from-tables.ts`. */
export const REQUESTS: readonly RequestScenario[] = Object.entries(CALLS).map(([name, call]) => ({
  name: `request/${name}`,
  ...call,
}));
