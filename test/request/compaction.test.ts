import { describe, expect, it } from 'vitest';
import { serverItem } from '../../src/core/call-items.js';
import type { JsonObject } from '../../src/core/json.js';
import { type AssistantContent, type Message, textOutput } from '../../src/core/message.js';
import { PROFILES } from '../../src/request/profiles.js';
import { build, inputOf, outline, user } from './support/build.js';

const system = (content: string): object => ({ role: 'system', content });
const summary = (sealed = 'sealed'): object => ({
  type: 'custom',
  kind: 'openai.compaction',
  providerOptions: { openai: { type: 'compaction', encryptedContent: sealed } },
});
const call = (toolCallId: string): object => ({ type: 'tool-call', toolCallId, toolName: 'add', input: {} });
const output = (toolCallId: string): object => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'add',
  output: { type: 'text', value: '5' },
});
const text = (words: string): object => ({ type: 'text', text: words });
const says = (...content: object[]): object => ({ role: 'assistant', content });
const gives = (...content: object[]): object => ({ role: 'tool', content });
const sealed: AssistantContent = {
  type: 'item',
  item: serverItem({ type: 'compaction', encrypted_content: 'sealed' }),
};
const calls = (callId: string): AssistantContent => ({ type: 'tool-call', callId, name: 'add', arguments: '{}' });
const round = (content: readonly AssistantContent[], ...answered: string[]): Message[] => [
  { role: 'assistant', content },
  { role: 'tool', content: answered.map((callId) => ({ type: 'tool-result', callId, output: textOutput('5') })) },
];

const HISTORY = [
  system('Be brief.'),
  user('Old.'),
  says(call('a')),
  gives(output('a')),
  says(text('Old answer.'), summary(), text('New answer.')),
  user('New.'),
];

describe('a history with a summary of the server', () => {
  it('is sent from the summary on, with the system prompt', () => {
    expect(outline(inputOf(HISTORY))).toEqual([
      'system: Be brief.',
      'compaction',
      'assistant: New answer.',
      'user: New.',
    ]);
  });

  it('is sent from the last one on if there are several, with every system message', () => {
    const prompt = [...HISTORY, system('Be kind.'), says(summary('later')), user('Newest.')];
    expect(inputOf(prompt).filter(({ type }) => type === 'compaction')).toEqual([
      { type: 'compaction', encrypted_content: 'later' },
    ]);
    expect(outline(inputOf(prompt))).toEqual(['system: Be brief.', 'system: Be kind.', 'compaction', 'user: Newest.']);
  });

  it('keeps changes of settings that the caller made', () => {
    const change = { role: 'system', content: '', providerOptions: { openai: { reasoningEffortUpdate: 'low' } } };
    const input = inputOf([change, ...HISTORY], { modelId: 'gpt-6' });
    expect(input[0]).toEqual({ type: 'configuration_update', reasoning: { effort: 'low' } });
    expect(outline(input).slice(1, 3)).toEqual(['system: Be brief.', 'compaction']);
  });

  it.each(['generic', 'llamacpp', 'openrouter'] as const)(
    'is sent whole to %s: the summary may be of another server',
    (backend) => expect(outline(inputOf(HISTORY, { backend }))).toContain('user: Old.'),
  );

  it.each(['previousResponseId', 'conversation'])('is sent as it is under %s', (option) => {
    const input = inputOf([user('Old.'), says(summary()), user('New.')], {
      providerOptions: { openai: { [option]: 'id_1' } },
    });
    const isCut = !outline(input).includes('user: Old.');
    // A conversation has all that came before the last turn.
    expect(isCut).toBe(option === 'conversation');
  });

  it('keeps a call whose output came behind the summary, and the reasoning that led to it', () => {
    const thought = {
      type: 'reasoning',
      text: '',
      providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'thought' } },
    };
    const prompt = [
      user('Go.'),
      says(thought, call('a'), call('b'), summary(), text('So.')),
      gives(output('b'), output('a')),
    ];
    expect(outline(inputOf([...prompt, user('On.')]))).toEqual([
      'reasoning',
      'call a',
      'call b',
      'output a: 5',
      'output b: 5',
      'compaction',
      'assistant: So.',
      'user: On.',
    ]);
  });

  it('keeps all the reasoning that led to such a call', () => {
    const thoughts = ['rs_1', 'rs_2'].map((itemId) => ({
      type: 'reasoning',
      text: '',
      providerOptions: { openai: { itemId, reasoningEncryptedContent: `thought ${itemId}` } },
    }));
    const prompt = [user('Go.'), says(...thoughts, call('a'), summary()), gives(output('a'))];
    expect(outline(inputOf(prompt))).toEqual(['reasoning', 'reasoning', 'call a', 'output a: 5', 'compaction']);
  });

  it('keeps a call of the round in which the summary came, also where its output stands right behind it', () => {
    const inRound = { providerOptions: { 'responses-loop': { inRound: 'a' } } };
    const made = (id: string): object => ({ ...call(id), providerExecuted: true, ...inRound });
    const prompt = [user('Go.'), says(made('a'), output('a'), summary(), made('b'), output('b'), text('So.'))];
    expect(outline(inputOf([...prompt, user('On.')]))).toEqual([
      'call a',
      'output a: 5',
      'compaction',
      'call b',
      'output b: 5',
      'assistant: So.',
      'user: On.',
    ]);
  });

  it('drops a call whose output came before the summary, and one that never had any', () => {
    const prompt = [user('Go.'), says(call('a'), call('b')), gives(output('a')), says(summary()), user('On.')];
    expect(outline(inputOf(prompt))).toEqual(['compaction', 'user: On.']);
  });

  it('keeps the question of a server that is answered behind the summary', () => {
    const asked: JsonObject = {
      type: 'mcp_approval_request',
      id: 'mcpr_1',
      server_label: 's',
      name: 'n',
      arguments: '{}',
    };
    const messages: Message[] = [
      { role: 'assistant', content: [{ type: 'item', item: serverItem(asked) }, sealed] },
      { role: 'tool', content: [{ type: 'approval', approvalId: 'mcpr_1', approved: true }] },
    ];
    const { input } = build({ added: messages });
    expect(input.map(({ type }) => type)).toEqual(['mcp_approval_request', 'compaction', 'mcp_approval_response']);
  });
});

describe('a summary in a round of the call', () => {
  it('replaces the prompt and the rounds before it, at any server: it made the summary itself', () => {
    const added = [...round([calls('a')], 'a'), ...round([sealed, calls('b')], 'b')];
    for (const backend of [PROFILES.openai, PROFILES.generic]) {
      const { input } = build({ prompt: [system('Be brief.'), user('Go.')], added, backend });
      expect(outline(input)).toEqual(['system: Be brief.', 'compaction', 'call b', 'output b: 5']);
    }
  });

  it('keeps a call that the same round made before it', () => {
    const added = [...round([calls('a')], 'a'), ...round([calls('b'), sealed, calls('c')], 'b', 'c')];
    expect(outline(build({ added }).input)).toEqual(['call b', 'output b: 5', 'compaction', 'call c', 'output c: 5']);
  });

  it('is followed by another one, which replaces that call as well', () => {
    const added = [
      ...round([calls('a'), sealed], 'a'),
      ...round([calls('b')], 'b'),
      ...round([sealed, calls('c')], 'c'),
    ];
    expect(outline(build({ added }).input)).toEqual(['compaction', 'call c', 'output c: 5']);
  });

  it('leaves rounds behind it as they were made, the same objects', () => {
    const added = [...round([sealed, calls('a')], 'a'), ...round([calls('b')], 'b')];
    expect(outline(build({ added }).input)).toEqual(['compaction', 'call a', 'output a: 5', 'call b', 'output b: 5']);
  });

  it.each([{}, { encrypted_content: null }, { encrypted_content: '' }])(
    'replaces nothing without a seal: %j',
    (rest) => {
      const empty: AssistantContent = { type: 'item', item: serverItem({ type: 'compaction', ...rest }) };
      const { input } = build({ added: round([empty, calls('a')], 'a') });
      expect(outline(input)).toEqual(['user: Hi', 'compaction', 'call a', 'output a: 5']);
    },
  );

  it('replaces nothing under previousResponseId: what answers calls of that response has to stay', () => {
    const { input } = build({
      prompt: [gives(output('kept'))],
      added: round([sealed, calls('a')], 'a'),
      providerOptions: { openai: { previousResponseId: 'resp_0', store: false } },
    });
    expect(outline(input)).toEqual(['output kept: 5', 'compaction', 'call a', 'output a: 5']);
  });
});
