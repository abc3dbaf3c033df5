import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import type { BuildOptions } from './support/build.js';
import { inputOf, outline, user } from './support/build.js';

const ORIGIN = 'host.model.key';
const text = (value: string): object => ({ type: 'text', text: value });
const call = (toolCallId: string): object => ({ type: 'tool-call', toolCallId, toolName: 'add', input: {} });
const result = (toolCallId: string): object => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 'add', output: { type: 'text', value: '1' } }],
});
const assistant = (...content: object[]): object => ({ role: 'assistant', content });

/** A reasoning part as our own metadata describes it. */
const own = (words: string, reasoning: JsonObject): object => ({
  type: 'reasoning',
  text: words,
  providerOptions: { 'responses-loop': { reasoning: { kind: 'summary', origin: ORIGIN, ...reasoning } } },
});
const sealed = (words = 'Hm.'): object => own(words, { encrypted: 'sealed' });
/** The same as the stock provider writes it. */
const stock = (words: string, openai: JsonObject): object => ({
  type: 'reasoning',
  text: words,
  providerOptions: { openai },
});

const outlineOf = (prompt: object[], options: Partial<BuildOptions> = {}): string[] =>
  outline(inputOf(prompt, { origin: ORIGIN, ...options }));

describe('reasoning goes only where what it led to goes too', () => {
  it.each<[string, object[], string[]]>([
    ['with the text it led to', [assistant(sealed(), text('A')), user('Q')], ['reasoning', 'assistant: A', 'user: Q']],
    [
      'with the call it led to',
      [assistant(sealed(), call('c1')), result('c1')],
      ['reasoning', 'call c1', 'output c1: 1'],
    ],
    [
      'with two calls, one of them never answered',
      [assistant(sealed(), call('c1'), call('c2')), result('c2')],
      [
        'reasoning',
        'call c1',
        'call c2',
        'output c1: This call was interrupted before it returned anything. It may have taken effect.',
        'output c2: 1',
      ],
    ],
    [
      'two in a row before one text',
      [assistant(sealed('a'), sealed('b'), text('A'))],
      ['reasoning', 'reasoning', 'assistant: A'],
    ],
    ['not alone in its turn', [assistant(sealed()), user('Q')], ['user: Q']],
    ['not at the end', [user('Q'), assistant(text('A'), sealed())], ['user: Q', 'assistant: A']],
    ['not where its text was empty', [assistant(sealed(), text('')), user('Q')], ['user: Q']],
    ["not before another turn's output", [assistant(sealed()), result('gone'), user('Q')], ['user: Q']],
    ['not alone at the very end, two of them', [user('Q'), assistant(sealed('a'), sealed('b'))], ['user: Q']],
  ])('%s', (_name, prompt, expected) => {
    expect(outlineOf(prompt)).toEqual(expected);
  });
});

describe('what a reasoning item holds', () => {
  it.each<[string, object, object | undefined]>([
    [
      'summary and seal',
      sealed('Hm.'),
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'sealed' },
    ],
    ['seal only', sealed(''), { type: 'reasoning', summary: [], encrypted_content: 'sealed' }],
    ['no seal', own('Hm.', {}), undefined],
    [
      'stock: id and seal',
      stock('Hm.', { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' }),
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'sealed' },
    ],
    ['stock: id only', stock('Hm.', { itemId: 'rs_1', reasoningEncryptedContent: null }), undefined],
    ['nothing known about it', { type: 'reasoning', text: 'Hm.' }, undefined],
  ])('%s', (_name, part, expected) => {
    const input = inputOf([assistant(part, text('A'))], { origin: ORIGIN });
    expect(input.slice(0, -1)).toStrictEqual(expected === undefined ? [] : [expected]);
  });

  it("several summary parts are one item again, ours and the stock provider's", () => {
    const parts = [own('One.', { continues: true }), own('Two.', { continues: true }), sealed('Three.')];
    const [item, ...rest] = inputOf([assistant(...parts, text('A'))], { origin: ORIGIN });
    expect(item).toMatchObject({
      summary: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }],
      encrypted_content: 'sealed',
    });
    expect(outline(rest)).toEqual(['assistant: A']);
    const facts = { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' };
    const fromStock = inputOf([assistant(stock('One.', facts), stock('Two.', facts), text('A'))], { origin: ORIGIN });
    expect(outline(fromStock)).toEqual(['reasoning', 'assistant: A']);
    expect(fromStock[0]).toMatchObject({ summary: [{ text: 'One.' }, { text: 'Two.' }], encrypted_content: 'sealed' });
  });

  it("the stock provider's first part may come without the seal that its last part has", () => {
    const prompt = [
      assistant(
        stock('One.', { itemId: 'rs_1', reasoningEncryptedContent: null }),
        stock('Two.', { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' }),
        text('A'),
      ),
    ];
    const [item] = inputOf(prompt, { origin: ORIGIN });
    expect(item).toMatchObject({ summary: [{ text: 'One.' }, { text: 'Two.' }], encrypted_content: 'sealed' });
  });

  it('two items of the stock provider stay two', () => {
    const prompt = [
      assistant(
        stock('One.', { itemId: 'rs_1', reasoningEncryptedContent: 'a' }),
        stock('Two.', { itemId: 'rs_2', reasoningEncryptedContent: 'b' }),
        text('A'),
      ),
    ];
    expect(inputOf(prompt, { origin: ORIGIN }).slice(0, 2)).toMatchObject([
      { encrypted_content: 'a' },
      { encrypted_content: 'b' },
    ]);
  });
});

describe('to whom it goes', () => {
  it.each(['other.model.key', 'host.other.key', 'host.model.other'])('not to %s', (origin) => {
    expect(outlineOf([assistant(sealed(), text('A'))], { origin })).toEqual(['assistant: A']);
  });

  it('of two turns only that of this origin', () => {
    const foreign = own('Hm.', { encrypted: 'theirs', origin: 'x.y.z' });
    expect(outlineOf([assistant(foreign, text('A')), user('Q'), assistant(sealed(), text('B'))])).toEqual([
      'assistant: A',
      'user: Q',
      'reasoning',
      'assistant: B',
    ]);
  });

  it.each<[string, NonNullable<BuildOptions['backend']>, object[]]>([
    [
      'sealed, to those who unseal it',
      'openai',
      [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'sealed' }],
    ],
    [
      'as plain text to llama.cpp',
      'llamacpp',
      [{ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Hm.' }] }],
    ],
    ['not at all to servers nobody knows', 'generic', []],
    ['not at all to Ollama, which takes a seal for a thought', 'ollama', []],
    ['not at all to vLLM, which refuses it', 'vllm', []],
  ])('%s', (_name, backend, expected) => {
    expect(inputOf([assistant(sealed(), text('A'))], { backend, origin: ORIGIN }).slice(0, -1)).toStrictEqual(expected);
  });

  it('raw reasoning text goes back as it came where plain text is wanted', () => {
    const prompt = [assistant(own('Raw.', { kind: 'text' }), text('A'))];
    expect(inputOf(prompt, { backend: 'llamacpp', origin: ORIGIN })[0]).toMatchObject({
      content: [{ type: 'reasoning_text', text: 'Raw.' }],
    });
  });
});
