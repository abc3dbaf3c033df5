import type { ScriptedRequest } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { exampleFor } from '../src/demo/example-input.js';
import { demoBrain } from '../src/demo-brain.js';

const OWN = ['timeNow', 'note', 'readFile', 'listDir', 'writeFile', 'shellCommand', 'updatePlan', 'subAgent'];

interface Told {
  readonly tools?: readonly string[];
  /** What tools answered since. */
  readonly outputs?: readonly (readonly [name: string, output: string])[];
  readonly instructions?: string;
}

function ask(text: string, { tools = OWN, outputs = [], instructions = '' }: Told = {}) {
  const input = [
    { role: 'user', content: [{ type: 'input_text', text }] },
    ...outputs.flatMap(([name, output], n) => [
      { type: 'function_call', call_id: `c${n}`, name },
      { type: 'function_call_output', call_id: `c${n}`, output },
    ]),
  ];
  const body = {
    instructions,
    tools: tools.map((name) => ({
      name,
      parameters: { properties: { text: { type: 'string' } }, required: ['text'] },
    })),
  };
  return demoBrain({ input, body, text: JSON.stringify(input) } as unknown as ScriptedRequest);
}

function callOf(text: string, told?: Told): unknown {
  const [output] = ask(text, told).output ?? [];
  return output?.type === 'call' ? [output.name, output.arguments] : undefined;
}

function textOf(text: string, told?: Told): string {
  const output = (ask(text, told).output ?? []).at(-1);
  return output?.type === 'text' ? [output.text].flat().join('') : '';
}

describe('the offline stand-in', () => {
  it.each([
    ['write hello.md', 'writeFile', { path: 'hello.md' }],
    ['write docs/a.md: quack', 'writeFile', { path: 'docs/a.md', content: 'quack\n' }],
    ['run ls -la', 'shellCommand', { command: 'ls -la' }],
    ['please run `npm test`', 'shellCommand', { command: 'npm test' }],
    ['run rm -rf /', 'shellCommand', { command: 'rm -rf /' }],
    ['list the files', 'listDir', { path: '.' }],
    ['read hello.md', 'readFile', { path: 'hello.md' }],
    ['what time is it?', 'timeNow', {}],
    ['ask a sub-agent to write from-an-agent.md', 'subAgent', { agent: 'document', task: 'write from-an-agent.md' }],
    ['ask a sub-agent to run ls', 'subAgent', { agent: 'shell', task: 'run ls' }],
    ['note buy milk', 'note', { value: 'buy milk' }],
    ['make a plan', 'updatePlan', {}],
  ])('to "%s" calls %s', (text, name, args) => {
    expect(callOf(text)).toEqual([name, expect.objectContaining(args)]);
  });

  it('calls any tool by its name, and one of an MCP server if there is one', () => {
    expect(callOf('use timeNow')).toEqual(['timeNow', '{}']);
    expect(callOf('use echo {"message":"hi"}', { tools: ['echo'] })).toEqual(['echo', '{"message":"hi"}']);
    expect(callOf('try MCP', { tools: [...OWN, 'echo'] })).toEqual(['echo', '{"text":"hello"}']);
    expect(textOf('try MCP')).toContain('--mcp-config');
    expect(callOf('use rocket')).toBeUndefined();
  });

  it('calls nothing that is not offered', () => {
    expect(callOf('write hello.md', { tools: [] })).toBeUndefined();
  });

  it('ticks its plan off, call by call, and then reports', () => {
    const done: (readonly [string, string])[] = [];
    const names = ['updatePlan', 'listDir', 'updatePlan', 'updatePlan'];
    for (const name of names) {
      expect(callOf('make a plan', { outputs: done })).toEqual([name, expect.anything()]);
      done.push([name, '{"ok":true}']);
    }
    expect(textOf('make a plan', { outputs: done })).toContain('`updatePlan` is done');
  });

  it('says what became of a call', () => {
    const after = (output: string): string => textOf('write a.md', { outputs: [['writeFile', output]] });
    expect(after('{"ok":true,"path":"a.md"}')).toContain('`writeFile` is done');
    expect(after('{"ok":false,"error":"No room."}')).toBe('`writeFile` did not work: No room.');
    expect(after('The call of "writeFile" was denied and did not run')).toContain('You did not allow');
    expect(after('{"ok":true,"summary":"All\\nwritten."}')).toContain('> All\n> written.');
  });

  it('shows reasoning, markdown, a long text, an error and what can be tried', () => {
    expect(ask('think about it').output?.map(({ type }) => type)).toEqual(['reasoning', 'text']);
    expect(textOf('show markdown')).toContain('| Duck |');
    expect(textOf('tell me a long story').length).toBeGreaterThan(2000);
    expect(ask('fail').status).toBe('failed');
    expect(textOf('hello')).toContain('| Type | What you will see |');
  });

  it('gives titles and summaries where it has no tools', () => {
    expect(textOf('Give this chat a title', { tools: [], instructions: 'You find titles.' })).toBe(
      'Give this chat a title',
    );
    expect(textOf('Write a summary', { tools: [] })).toBe('This is the first thing you said.');
  });
});

it('arguments are made of what a schema requires', () => {
  const schema = {
    properties: {
      a: { type: 'string' },
      b: { type: 'integer' },
      c: { enum: ['x', 'y'] },
      d: { type: 'object', properties: { e: { type: 'boolean' } }, required: ['e'] },
      f: { type: 'string' },
    },
    required: ['a', 'b', 'c', 'd'],
  };
  expect(exampleFor(schema)).toEqual({ a: 'hello', b: 1, c: 'x', d: { e: true } });
  expect(exampleFor(undefined)).toEqual({});
});
