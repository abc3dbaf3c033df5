import type { ScriptedRequest } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { INTERRUPTED } from '../src/chat/open-calls.js';
import { exampleFor } from '../src/demo/example-input.js';
import { demoBrain } from '../src/demo-brain.js';

const OWN = [
  ...['timeNow', 'note', 'readFile', 'listDir', 'writeFile', 'writeJsx', 'shellCommand'],
  ...['browserOpen', 'updatePlan', 'subAgent'],
];

interface Told {
  readonly tools?: readonly string[];
  /** What tools answered since. */
  readonly outputs?: readonly (readonly [name: string, output: string])[];
  readonly instructions?: string;
  readonly files?: number;
}

const PLANNED = '{"ok":true,"items":[{"state":"completed"},{"state":"completed"}]}';

function ask(text: string, { tools = OWN, outputs = [], instructions = '', files = 0 }: Told = {}) {
  const input = [
    {
      role: 'user',
      content: [{ type: 'input_text', text }, ...Array.from({ length: files }, () => ({ type: 'input_file' }))],
    },
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

describe('the demo model', () => {
  it.each([
    ['write hello.md', 'writeFile', { path: 'hello.md' }],
    ['write docs/a.md: quack', 'writeFile', { path: 'docs/a.md', content: 'quack\n' }],
    ['show a view', 'writeJsx', { path: 'ducks.jsx' }],
    ['open https://example.com in the browser', 'browserOpen', { url: 'https://example.com' }],
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

  it('names the tool that is off, and where to turn it on', () => {
    const off = 'The tool `writeFile` is off in this chat, so I cannot do that.';
    expect(textOf('write hello.md', { tools: ['timeNow'] })).toBe(
      `${off} Turn it on in Settings (\`Ctrl + ,\`), under Tools.`,
    );
    expect(textOf('make a plan', { tools: ['timeNow'] })).toContain('The tools `updatePlan` and `listDir` are off');
    expect(textOf('use writeFile', { tools: [] })).toContain('`writeFile` is off');
    expect(textOf('write hello.md', { tools: [], instructions: 'You write, for another agent.' })).toBe(
      'The tool `writeFile` is not given to this sub-agent, so I did nothing.',
    );
    expect(textOf('write hello.md', { tools: [], instructions: 'You find a title.' })).toBe('write hello.md');
  });

  it('ticks its plan off, call by call, and then reports', () => {
    const done: (readonly [string, string])[] = [];
    const names = ['updatePlan', 'listDir', 'updatePlan', 'updatePlan'];
    for (const name of names) {
      expect(callOf('make a plan', { outputs: done })).toEqual([name, expect.anything()]);
      done.push([name, name === 'listDir' ? '{"ok":true,"entries":[]}' : PLANNED]);
    }
    expect(textOf('make a plan', { outputs: done })).toBe('The folder is empty.\n\nAll 2 steps of the plan are done.');
  });

  it.each([
    ['timeNow', { ok: true, local: 'Monday' }, 'It is Monday.'],
    ['note', { ok: true, note: 'buy milk' }, 'Noted: buy milk'],
    ['readFile', { ok: true, path: 'a.md', content: 'Quack\n' }, 'This is `a.md`:\n\n```\nQuack\n```'],
    ['listDir', { ok: true, entries: [] }, 'The folder is empty.'],
    ['listDir', { ok: true, entries: [{ name: 'a.md' }] }, 'I found one entry: `a.md`.'],
    ['listDir', { ok: true, entries: [{ name: 'a.md' }, { name: 'b' }] }, 'I found 2 entries: `a.md`, `b`.'],
    ['writeFile', { ok: true, path: 'a.md', bytes: 6 }, 'I wrote `a.md` (6 bytes).'],
    ['shellCommand', { ok: true, exitCode: 0, output: 'a.md\n' }, 'The command printed:\n\n```\na.md\n```'],
    ['shellCommand', { ok: true, exitCode: 0, output: '' }, 'The command ran without printing anything.'],
    [
      'shellCommand',
      { ok: false, error: 'It ended with exit code 1.', exitCode: 1, output: 'no such file\n' },
      '`shellCommand` failed: It ended with exit code 1.\n\n```\nno such file\n```',
    ],
    [
      'shellCommand',
      { ok: false, error: 'This command is never run here: rm of /.' },
      'Blocked: rm of / is never allowed.',
    ],
    ['updatePlan', { ok: true, items: [{ state: 'completed' }, { state: 'pending' }] }, '1 of 2 steps are done.'],
    ['subAgent', { ok: true, summary: 'All\nwritten.' }, 'The sub-agent reports:\n\n> All\n> written.'],
    ['writeFile', { ok: false, error: 'No room.' }, '`writeFile` failed: No room.'],
    [
      'writeFile',
      { ok: false, isDenied: true, error: 'The person did not allow it.' },
      'You did not allow `writeFile`, so it was not run.',
    ],
    ['echo', 'Echo: hi', '`echo` returned:\n\n```\nEcho: hi\n```'],
    ['echo', { content: 'hi' }, '`echo` returned:\n\n```\n{"content":"hi"}\n```'],
    ['echo', 'The call to "echo" was denied and did not run', 'You did not allow `echo`, so it was not run.'],
  ])('tells in a sentence what became of %s: %o', (name, output, sentence) => {
    const text = typeof output === 'string' ? output : JSON.stringify(output);
    expect(textOf('go on', { outputs: [[name, text]] })).toBe(sentence);
  });

  it('answers what it has no rule for in one line, and files in another', () => {
    expect(textOf('Why do ducks float?\nReally?')).toBe(
      "I'm the demo model, a script, and have no answer to “Why do ducks float?”. Type `help` for what I can show you.",
    );
    expect(textOf('what is in these?', { files: 2 })).toBe('I got your 2 files, but the demo model cannot read them.');
  });

  it('shows reasoning, markdown, a long text, an error and what can be tried', () => {
    expect(ask('think about it').output?.map(({ type }) => type)).toEqual(['reasoning', 'text']);
    expect(textOf('show markdown')).toContain('| Duck |');
    expect(textOf('tell me a long story').length).toBeGreaterThan(2000);
    expect(ask('fail').status).toBe('failed');
    expect(textOf('hello')).toContain('`make a plan`');
  });

  it('gives titles and summaries where it has no tools', () => {
    expect(textOf('Give this chat a title', { tools: [], instructions: 'You find titles.' })).toBe(
      'Give this chat a title',
    );
    expect(textOf('Write a summary', { tools: [] })).toBe('This is your first message.');
  });
});

type Item = readonly [string, string];

/** A conversation: what a person said, what the model said, calls and what their tools answered. */
function reply(items: readonly Item[], tools = OWN) {
  const input = items.flatMap(([kind, text], at): object[] => {
    if (kind === 'you') return [{ role: 'user', content: text }];
    if (kind === 'model') return [{ role: 'assistant', content: [{ type: 'output_text', text }] }];
    return [
      { type: 'function_call', call_id: `c${at}`, name: kind },
      { type: 'function_call_output', call_id: `c${at}`, output: text },
    ];
  });
  const body = { instructions: '', tools: tools.map((name) => ({ name, parameters: {} })) };
  const { output = [] } = demoBrain({ input, body, text: JSON.stringify(input) } as unknown as ScriptedRequest);
  return output.map((one) => {
    if (one.type === 'call') return one.name;
    return one.type === 'text' ? [one.text].flat().join('') : one.type;
  });
}

describe('“Continue.” has the demo model', () => {
  const asked: Item = ['you', 'tell me a long story'];
  const [whole = ''] = reply([asked]);
  const half = whole.slice(0, 500);

  it('tell the rest of its story, however often it was stopped', () => {
    const [rest] = reply([asked, ['model', half], ['you', 'Continue.']]);
    expect(rest).toBe(whole.slice(500).trimStart());
    const next = whole.slice(500, 800);
    const [last] = reply([asked, ['model', half], ['you', 'Continue.'], ['model', next], ['you', 'go on']]);
    expect(last).toBe(whole.slice(800).trimStart());
  });

  it('say that it had finished, or that there is nothing', () => {
    expect(reply([asked, ['model', whole], ['you', 'Continue.']])).toEqual([
      'I had finished. Ask for something else, or type `help`.',
    ]);
    expect(reply([['you', 'Continue.']])).toEqual([
      'This chat has nothing to continue. Type `help` for what I can show you.',
    ]);
  });

  it('make the next call of its plan, and one anew whose tool was stopped', () => {
    const plan: Item = ['you', 'make a plan'];
    expect(reply([plan, ['updatePlan', '{"ok":true}'], ['you', 'Continue.']])).toEqual(['listDir']);
    const stopped = '{"ok":false,"error":"It was stopped."}';
    expect(reply([plan, ['updatePlan', '{"ok":true}'], ['listDir', stopped], ['you', 'Continue.']])).toEqual([
      'listDir',
    ]);
    expect(reply([plan, ['updatePlan', INTERRUPTED], ['you', 'Continue.']])).toEqual(['updatePlan']);
  });
});

describe('what a person says while the demo model works', () => {
  const asked: Item = ['you', 'tell me a story in chapters'];
  const clock: Item = ['timeNow', '{"ok":true,"local":"Monday"}'];

  it('is a new question if it was sent instead of an answer to a question of approval', () => {
    const passedOver: Item = ['shellCommand', 'The person wrote something else instead of answering.'];
    expect(reply([['you', 'run touch x'], passedOver, ['you', 'hello instead']])).toEqual(
      reply([['you', 'hello instead']]),
    );
  });

  it('is heard between two chapters, and the story goes on as it was wished', () => {
    expect(reply([asked])[0]).toContain('Chapter 1: The morning.** On that day the duck');
    const [heard, chapter, call] = reply([asked, clock, ['you', 'make it about a frog']]);
    expect(heard).toBe('I heard “make it about a frog” while I worked.');
    expect(chapter).toContain('The frog read it twice');
    expect(call).toBe('timeNow');
    const wished: readonly Item[] = [asked, clock, ['you', 'make it about a frog'], ['model', chapter ?? ''], clock];
    expect(reply(wished)[0]).toContain('so the frog packed');
  });

  it('ends with the last chapter, and takes long enough to say something', () => {
    const all = Array.from({ length: 8 }, () => clock);
    expect(reply([asked, ...all])).toEqual(['The end.']);
    const { paceMs = 0, output = [] } = ask('tell me a story in chapters');
    const words = output.flatMap((one) => (one.type === 'text' ? [one.text].flat() : []));
    expect(words.length * paceMs * all.length).toBeGreaterThan(8_000);
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
