import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider as createV3, type ResponsesProviderV3 } from 'responses-loop/v3';
import { createResponsesProvider as createV4, type ResponsesProviderV4 } from 'responses-loop/v4';
import type { ResponseDescription } from 'responses-loop/testing';
import { userPrompt } from '../acceptance/support/parts.js';
import { calls, reply, rigOf, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { offered, outline } from '../acceptance/support/wire.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
type Create = (settings?: ResponsesProviderSettings) => ResponsesProviderV3 | ResponsesProviderV4;
const VERSIONS: readonly (readonly [string, Create])[] = [
  ['V3', createV3],
  ['V4', createV4],
];

const tools = {
  add: adder().add,
  broken: toolOf(() => Promise.reject(new Error('disk full'))),
  find: toolOf(() => ({ ducks: 3, where: ['pond'] })),
  nothing: toolOf(() => null),
  photo: toolOf(() => ({
    content: [
      { type: 'text', text: 'A duck:' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///pond.pdf', blob: 'JVBERg==', mimeType: 'application/pdf' } },
    ],
  })),
};

const text = (said: string) => ({ type: 'text', text: said }) as const;
const add = (a: number, callId: string) => ({ type: 'call', name: 'add', arguments: { a, b: 1 }, callId }) as const;

const compaction = {
  type: 'item',
  item: { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' },
} as const;
const noTools: string[] = [];
const listed = {
  type: 'item' as const,
  item: { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'docs', tools: noTools },
};
const future = { type: 'item', item: { type: 'future_item', id: 'fut_1', ducks: 3 } } as const;

const CONVERSATIONS: Record<string, readonly ResponseDescription[]> = {
  'text and calls in turns': [
    { id: 'resp_1', output: [text('First two.'), add(1, 'call_1'), add(2, 'call_2')] },
    { id: 'resp_2', output: [text('One more.'), add(3, 'call_3')] },
  ],
  'a call that fails': [calls('resp_1', ['broken', {}])],
  'values, files and nothing': [calls('resp_1', ['find', {}], ['photo', {}], ['nothing', {}])],
  'a compaction before the answer': [{ id: 'resp_1', output: [compaction, text('Let me add.'), add(1, 'call_1')] }],
  'a compaction among items that are not shown': [
    { id: 'resp_1', output: [listed, compaction, listed, text('Let me add.'), listed, compaction, add(1, 'call_1')] },
  ],
  'sealed reasoning': [
    { id: 'resp_1', output: [{ type: 'reasoning', summary: ['I add.'], encrypted: 'sealed' }, add(1, 'call_1')] },
  ],
  'an item straight before a call': [{ id: 'resp_1', output: [listed, add(1, 'call_1')] }],
  'an item behind a call': [
    { id: 'resp_1', output: [text('Hm.'), add(1, 'call_1'), listed, add(2, 'call_2'), listed] },
  ],
  'items around calls without a text': [{ id: 'resp_1', output: [add(1, 'call_1'), listed, add(2, 'call_2'), listed] }],
};

/** What only a signature can vouch for: what else may have such a type is not known. */
const SIGNED: Record<string, readonly ResponseDescription[]> = {
  ...CONVERSATIONS,
  'items of a type that is not known': [
    { id: 'resp_1', output: [future, text('Hm.'), add(1, 'call_1'), future, add(2, 'call_2'), future] },
  ],
};
const historySecret = 'a secret of sixteen';

interface Content {
  readonly type: string;
  readonly input?: string;
  readonly result?: unknown;
  readonly isError?: boolean | undefined;
  readonly providerMetadata?: unknown;
}

/** A step's content as AI SDK 6 and 7 hand it back with the next prompt, stored as JSON in between. */
function backInPrompt(content: readonly Content[]): unknown[] {
  return (JSON.parse(JSON.stringify(content)) as Content[]).map(({ providerMetadata, ...part }) => ({
    ...part,
    ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }),
    ...(part.input === undefined ? {} : { input: JSON.parse(part.input) as unknown }),
    ...(part.type === 'tool-result' ? { output: outputOf(part) } : {}),
  }));
}

function outputOf({ result, isError }: Content): object {
  if (isError === true) return { type: 'error-json', value: result };
  return typeof result === 'string' ? { type: 'text', value: result } : { type: 'json', value: result };
}

const KINDS = ['all', 'none'] as const;
const PLACES = VERSIONS.flatMap(([version, create]) => KINDS.map((toolParts) => [version, toolParts, create] as const));

describe.each(PLACES)('the rounds of a %s model with toolParts %s', (_version, toolParts, create) => {
  const histories = [
    ...Object.entries(CONVERSATIONS).map(([name, rounds]) => [name, rounds, {}] as const),
    ...Object.entries(SIGNED).map(([name, rounds]) => [`${name}, signed`, rounds, { historySecret }] as const),
  ];
  it.each(histories)('%s: the next request begins with what the loop had sent', async (_name, rounds, settings) => {
    const steps = [...rounds, says('resp_answer', 'That is it.'), says('resp_next', 'You are welcome.')].map(reply);
    const { model, requests } = await rigOf(create, steps, { tools, toolParts, backend: 'openai', ...settings });
    const { content } = await model.doGenerate({ prompt: userPrompt('What is it?') });
    const assistant = { role: 'assistant', content: backInPrompt(content) };
    await model.doGenerate({ prompt: [...userPrompt('What is it?'), assistant, ...userPrompt('Thanks.')] });
    const [live, next] = requests.slice(-2);
    expect(next?.input.slice(0, live?.input.length)).toEqual(live?.input);
    expect(outline(next).slice(live?.input.length)).toEqual(['says That is it.', 'user Thanks.']);
  });
});

describe.each(VERSIONS)('the visible rounds of a %s model', (_version, create) => {
  it('with toolParts declared only the stubs of provider.tools() among the call’s tools are shown', async () => {
    const steps = [reply(calls('resp_1', ['add', { a: 1, b: 1 }], ['find', {}])), reply(says('resp_2', 'Done.'))];
    const { model, provider, requests } = await rigOf(create, steps, { tools, toolParts: 'declared' });
    const { add: stub } = await provider.tools();
    const declared = { ...stub, type: 'function', name: 'add', inputSchema: { type: 'object', properties: {} } };
    const { content } = await model.doGenerate({ prompt: userPrompt(), tools: [declared] });
    expect(content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []))).toEqual(['add']);
    expect(offered(requests[0])).toEqual(['add']);
  });
});
