import type { ScriptedRequest } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { demoBrain } from '../src/demo-brain.js';

type Item = Record<string, unknown>;

const TOOLS = ['get-sum', 'echo', 'list_allowed_directories', 'list_directory'].map((name) => ({
  type: 'function',
  name,
}));

/** What it answers to a conversation: a text, or the call it makes. */
function ask(input: readonly Item[], tools: readonly Item[] = []): unknown {
  const body = { input, tools };
  const request = { input, body, text: JSON.stringify(body) } as unknown as ScriptedRequest;
  const [output] = demoBrain(request).output ?? [];
  return output?.type === 'text' ? [output.text].flat().join('') : output;
}

const user = (text: string): Item => ({ role: 'user', content: [{ type: 'input_text', text }] });
const called = (id: string, name: string, output: unknown): Item[] => [
  { type: 'function_call', call_id: id, name, arguments: '{}' },
  { type: 'function_call_output', call_id: id, output },
];

describe('the stand-in', () => {
  it('says what it is, and what was said', () => {
    expect(ask([user('Hello')])).toMatch(/^Scripted demo: you said "Hello"/);
  });

  it('knows what was said before only from what it is sent', () => {
    expect(ask([user('One'), user('What did I say before?')])).toBe('Scripted demo: you said before:\n- One');
    expect(ask([user('Do you remember me?')])).toBe('Scripted demo: this is your first message.');
  });

  it('adds with a tool, and quotes its answer', () => {
    const question = user('What is 2 + 3?');
    expect(ask([question], TOOLS)).toEqual({ type: 'call', name: 'get-sum', arguments: { a: 2, b: 3 } });
    expect(ask([question, ...called('c1', 'get-sum', 'It is 5.')], TOOLS)).toBe(
      'Scripted demo: get-sum returned:\nIt is 5.',
    );
    expect(ask([question])).toMatch(/you said/);
  });

  it('looks into a folder', () => {
    const question = user('Which files are here?');
    expect(ask([question], TOOLS)).toMatchObject({ name: 'list_allowed_directories' });
    const first = called(
      'c1',
      'list_allowed_directories',
      JSON.stringify({ content: 'Allowed directories:\n/tmp/ducks' }),
    );
    expect(ask([question, ...first], TOOLS)).toMatchObject({
      name: 'list_directory',
      arguments: { path: '/tmp/ducks' },
    });
    const second = called('c2', 'list_directory', [{ type: 'input_text', text: '[FILE] alfred.txt' }]);
    expect(ask([question, ...first, ...second], TOOLS)).toContain('[FILE] alfred.txt');
  });

  it('calls what it is asked to call, once', () => {
    const question = user('use echo {"message": "quack"}');
    expect(ask([question], TOOLS)).toEqual({ type: 'call', name: 'echo', arguments: '{"message": "quack"}' });
    expect(ask([question, ...called('c1', 'echo', 'quack')], TOOLS)).toContain('quack');
  });

  it('asks no tool again for an answer of an earlier turn', () => {
    const earlier = [user('What is 2 + 3?'), ...called('c1', 'get-sum', '5')];
    expect(ask([...earlier, user('And 4 + 5?')], TOOLS)).toMatchObject({ name: 'get-sum', arguments: { a: 4, b: 5 } });
  });
});
