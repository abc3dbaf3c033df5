import type { Major } from '../sides.js';

type Loose = Readonly<Record<string, unknown>>;

/** Provider options on a message or on one of its parts. */
export interface MessageRow {
  readonly name: string;
  /** The messages, each between a first user message and a last one; majors spell files differently. */
  readonly turns: (major: Major) => readonly Loose[];
  /** Options of the function `add`, which the calls in the messages are for. */
  readonly ofFunction?: Loose;
  readonly since?: Major;
  /** Default `gpt-5.1`. */
  readonly model?: string;
}

const BREAKPOINT = { promptCacheBreakpoint: { mode: 'explicit' } };
const LOADED = { type: 'function', name: 'late', description: 'Late.', parameters: { type: 'object', properties: {} } };
const FORMAT = { type: 'json_schema', name: 'sum', schema: { type: 'object', properties: {} } };

const on = (part: Loose, openai: Loose): Loose => ({ ...part, providerOptions: { openai } });
const text = (said: string): Loose => ({ type: 'text', text: said });
const user = (...content: Loose[]): Loose => ({ role: 'user', content });
const system = (content: string, openai: Loose): Loose => on({ role: 'system', content }, openai);
const assistant = (...content: Loose[]): Loose => ({ role: 'assistant', content });
const call = (openai: Loose): Loose =>
  on({ type: 'tool-call', toolCallId: 'call_1', toolName: 'add', input: { a: 1 } }, openai);
const result = (output: Loose, openai: Loose = {}): Loose => ({
  role: 'tool',
  content: [on({ type: 'tool-result', toolCallId: 'call_1', toolName: 'add', output }, openai)],
});
const answered = (ofCall: Loose, ofResult: Loose = {}, output: Loose = { type: 'text', value: '2' }): Loose[] => [
  assistant(call(ofCall)),
  result(output, ofResult),
];

/** V4 names what kind of data it is. */
function file(major: Major, mediaType: string, data: string | URL, openai: Loose): Loose {
  const tagged = data instanceof URL ? { type: 'url', url: data } : { type: 'data', data };
  return on({ type: 'file', mediaType, data: major === 4 ? tagged : data }, openai);
}

/** A picture in the output of a tool; each major has its own word for it. */
function picture(major: Major, openai: Loose): Loose {
  const data = { mediaType: 'image/png', data: 'AQID' };
  if (major === 2) return on({ type: 'media', ...data }, openai);
  if (major === 3) return on({ type: 'image-data', ...data }, openai);
  return file(4, 'image/png', 'AQID', openai);
}

const CONTROLS: readonly MessageRow[] = [
  { name: 'system message: cache breakpoint', turns: () => [system('Be brief.', BREAKPOINT)] },
  {
    name: 'system message: reasoningEffortUpdate',
    turns: () => [system('', { reasoningEffortUpdate: 'low' })],
    model: 'gpt-6-astra',
  },
  {
    name: 'system message: reasoningEffortUpdate beside words',
    turns: () => [system('Think.', { reasoningEffortUpdate: 'low' })],
    model: 'gpt-6-astra',
  },
  {
    name: 'system message: reasoningEffortUpdate, for a model that has no updates',
    turns: () => [system('', { reasoningEffortUpdate: 'low' })],
  },
  {
    name: 'system message: reasoningEffortUpdate of a wrong value',
    turns: () => [system('', { reasoningEffortUpdate: 'ducks' })],
    model: 'gpt-6-astra',
  },
  {
    name: 'system message: textFormatUpdate',
    turns: () => [system('', { textFormatUpdate: FORMAT })],
    model: 'gpt-6-astra',
    since: 3,
  },
  { name: 'system message: additionalTools', turns: () => [system('', { additionalTools: [LOADED] })], since: 4 },
  {
    name: 'system message: additionalTools of a wrong form',
    turns: () => [system('', { additionalTools: [{ type: 'ducks' }] })],
    since: 4,
  },
];

const CONTENT: readonly MessageRow[] = [
  { name: 'user text: cache breakpoint', turns: () => [user(on(text('Long.'), BREAKPOINT))] },
  ...(['low', 'high', 'auto', 'original'] as const).map((imageDetail) => ({
    name: `user image: imageDetail ${imageDetail}`,
    turns: (major: Major) => [user(file(major, 'image/png', 'AQID', { imageDetail }))],
  })),
  {
    name: 'user image by URL: imageDetail',
    turns: (major) => [user(file(major, 'image/png', new URL('https://ducks.test/a.png'), { imageDetail: 'low' }))],
  },
  { name: 'user image: cache breakpoint', turns: (major) => [user(file(major, 'image/png', 'AQID', BREAKPOINT))] },
  { name: 'user PDF: cache breakpoint', turns: (major) => [user(file(major, 'application/pdf', 'AQID', BREAKPOINT))] },
  {
    name: 'user image: provider reference',
    turns: () => [
      user({ type: 'file', mediaType: 'image/png', data: { type: 'reference', reference: { openai: 'file-1' } } }),
    ],
    since: 4,
  },
  { name: 'assistant text: phase', turns: () => [assistant(on(text('Ponds.'), { phase: 'commentary' }))] },
  { name: 'assistant text: item id', turns: () => [assistant(on(text('Ponds.'), { itemId: 'msg_1' }))] },
];

const TOOLS: readonly MessageRow[] = [
  { name: 'call: namespace', turns: () => answered({ namespace: 'ducks' }), since: 3 },
  {
    name: 'call and result: caller, a program',
    turns: () =>
      answered(
        { caller: { type: 'program', callerId: 'prog_1' } },
        { caller: { type: 'program', callerId: 'prog_1' } },
      ),
    since: 4,
  },
  {
    name: 'call and result: caller, direct',
    turns: () => answered({ caller: { type: 'direct' } }, { caller: { type: 'direct' } }),
    since: 4,
  },
  { name: 'call: async', turns: () => answered({ async: true }) },
  { name: 'result: cache breakpoint', turns: () => answered({}, BREAKPOINT) },
  {
    name: 'result: cache breakpoint of its output',
    turns: () => answered({}, {}, on({ type: 'text', value: '2' }, BREAKPOINT)),
  },
  { name: 'result: additionalTools', turns: () => answered({}, { additionalTools: [LOADED] }), since: 4 },
  {
    name: 'result part: imageDetail',
    turns: (major) => answered({}, {}, { type: 'content', value: [picture(major, { imageDetail: 'original' })] }),
  },
  {
    name: 'result part: cache breakpoint',
    turns: () => answered({}, {}, { type: 'content', value: [on(text('2'), BREAKPOINT)] }),
  },
  {
    name: 'result text of a function with an output schema',
    turns: () => answered({}),
    ofFunction: { outputSchema: { type: 'string' } },
    since: 4,
  },
  {
    name: 'result that was denied',
    turns: () => answered({}, {}, { type: 'execution-denied', reason: 'No.' }),
    since: 3,
  },
];

/** Every option that the stock provider reads from a message, a part or the output of a tool. */
export const MESSAGE_OPTIONS: readonly MessageRow[] = [...CONTROLS, ...CONTENT, ...TOOLS];
