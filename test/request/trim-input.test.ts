import { describe, expect, it } from 'vitest';
import { serverItem } from '../../src/core/call-items.js';
import type { JsonObject } from '../../src/core/json.js';
import { type AssistantContent, type Message, type ToolOutput, textOutput } from '../../src/core/message.js';
import { pair } from '../../src/history/pair.js';
import { convertTurns } from '../../src/request/convert-turns.js';
import { PROFILES } from '../../src/request/profiles.js';
import { WireIds } from '../../src/request/wire-ids.js';
import { completeExchanges, InputTrimmer, isNotable, writeNote } from '../../src/request/trim-input.js';
import type { InputItem } from '../../src/wire/input-item.js';
import { outline, user } from './support/build.js';
import { trimming } from './support/trimming.js';

const LONG = 'x'.repeat(400);
const LONGER = 'x'.repeat(4_000);
const sizeOf = (input: readonly JsonObject[]): number =>
  input.reduce((sum, item) => sum + JSON.stringify(item).length + 1, 0);
const calls = (callId: string): AssistantContent => ({ type: 'tool-call', callId, name: 'add', arguments: '{}' });
const thinks: AssistantContent = { type: 'reasoning', summary: [], text: [], encrypted: 'sealed' };
const says = (words: string): AssistantContent => ({ type: 'text', text: words });
const round = (content: readonly AssistantContent[], outputs: Readonly<Record<string, ToolOutput>>): Message[] => [
  { role: 'assistant', content },
  {
    role: 'tool',
    content: Object.entries(outputs).map(([callId, output]) => ({ type: 'tool-result', callId, output })),
  },
];
/** A round that makes one call, with an output of 400 characters. */
const long = (callId: string): Message[] => round([calls(callId)], { [callId]: textOutput(LONG) });
const longer = (callId: string): Message[] => round([calls(callId)], { [callId]: textOutput(LONGER) });

describe('an input that is too long', () => {
  it('has notes in place of the oldest outputs, down to three quarters of the limit', () => {
    const { rounds } = trimming({ maxChars: 20_000, rounds: ['a', 'b', 'c', 'd', 'e'].map(longer) });
    const noted = '[output of an earlier call, left out: 4000 characters]';
    expect(outline(rounds[5]?.input ?? [])).toEqual([
      'user: Hi',
      'call a',
      `output a: ${noted}`,
      'call b',
      `output b: ${noted}`,
      'call c',
      `output c: ${LONGER}`,
      'call d',
      `output d: ${LONGER}`,
      'call e',
      `output e: ${LONGER}`,
    ]);
    expect(sizeOf(rounds[5]?.input ?? [])).toBeLessThanOrEqual(15_000);
  });

  it('keeps outputs that are shorter than a note', () => {
    const short = (callId: string): Message[] => round([calls(callId)], { [callId]: textOutput('ok') });
    const { rounds } = trimming({ maxChars: 12_000, rounds: [short('a'), ...['b', 'c', 'd'].map(longer)] });
    expect(outline(rounds[4]?.input ?? []).slice(0, 5)).toEqual([
      'user: Hi',
      'call a',
      'output a: ok',
      'call b',
      'output b: [output of an earlier call, left out: 4000 characters]',
    ]);
  });

  it('is left alone while it fits, the same objects', () => {
    const { rounds, trims, stuck } = trimming({ maxChars: 100_000, rounds: ['a', 'b'].map(long) });
    expect(rounds[2]?.input.slice(0, 3)).toEqual(rounds[1]?.input);
    expect([trims, stuck]).toEqual([[], []]);
  });

  it('is measured anew where it was made anew, as with another key, although it has as many items', () => {
    const trimmer = new InputTrimmer({ maxChars: 8_000, onTrim: () => {}, onStuck: () => {} });
    const made = (output: string): InputItem[] =>
      ['a', 'b', 'c', 'd'].flatMap((callId) => [
        { type: 'function_call', call_id: callId, name: 'add', arguments: '{}' },
        { type: 'function_call_output', call_id: callId, output },
      ]);
    trimmer.shorten(made('ok'), [], undefined);
    expect(sizeOf(trimmer.shorten(made(LONGER), [], undefined) as unknown as JsonObject[])).toBeLessThan(12_000);
  });

  it('is cut in steps: between two of them requests begin with the request before', () => {
    const ids = Array.from({ length: 60 }, (_, n) => `c${n}`);
    const { rounds, trims } = trimming({ maxChars: 10_000, rounds: ids.map(long) });
    const isNew = rounds.map(({ input }, at) => {
      const before = rounds[at - 1]?.input ?? [];
      return JSON.stringify(input.slice(0, before.length)) !== JSON.stringify(before);
    });
    const changed = isNew.flatMap((is, at) => (is ? [at] : []));
    expect(changed).toEqual(trims.map(({ round: index }) => index));
    expect(trims.length).toBeGreaterThan(3);
    expect(trims.length).toBeLessThan(20);
    for (const { chars, keptChars } of trims) {
      expect(chars).toBeGreaterThan(10_000);
      expect(keptChars).toBeLessThanOrEqual(7_500);
    }
    for (const { input } of rounds) expect(sizeOf(input)).toBeLessThanOrEqual(10_000);
  });

  it('loses old calls as a whole where notes are not enough; one stays and counts them', () => {
    const ids = Array.from({ length: 100 }, (_, n) => `c${n}`);
    const short = ids.map((callId) => round([thinks, calls(callId)], { [callId]: textOutput('ok') }));
    const { rounds, trims } = trimming({ maxChars: 3_000, rounds: short });
    const last = rounds.at(-1)?.input ?? [];
    expect(sizeOf(last)).toBeLessThanOrEqual(3_000);
    expect(outline(last).slice(0, 4)).toEqual([
      'user: Hi',
      'reasoning',
      'call c0',
      `output c0: [output of an earlier call, left out: 2 characters; calls left out behind it: ${trims.reduce((sum, trim) => sum + trim.calls, 0)}]`,
    ]);
    expect(trims.at(-1)?.calls).toBeGreaterThan(3);
  });

  it('never touches outputs of the last two rounds, of the call or of its prompt', () => {
    const result = (toolCallId: string): object[] => [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'add', input: {} }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName: 'add', output: { type: 'text', value: LONG } }],
      },
    ];
    const prompt = [user('Hi'), ...['a', 'b', 'c'].flatMap(result)];
    const { rounds } = trimming({ maxChars: 300, prompt, rounds: [long('d'), long('e'), long('f')] });
    const whole = rounds.map(({ input }) => outline(input).filter((line) => line.endsWith(LONG)));
    expect(whole.map((lines) => lines.map((line) => line.slice(7, 8)).join(''))).toEqual(['bc', 'cd', 'de', 'ef']);
  });

  it('goes out as it is if nothing more can be left out, which is said once', () => {
    const { stuck, trims, rounds } = trimming({
      maxChars: 100,
      prompt: [user(LONG)],
      rounds: ['a', 'b', 'c', 'd'].map(long),
    });
    expect(stuck.map(({ round: index }) => index)).toEqual([0]);
    expect(trims.map(({ round: index }) => index)).toEqual([3, 4]);
    expect(outline(rounds[4]?.input ?? [])).toContain(`output d: ${LONG}`);
  });

  it('is cut behind a summary of the server first', () => {
    const summary: AssistantContent = {
      type: 'item',
      item: serverItem({ type: 'compaction', encrypted_content: 'sealed' }),
    };
    const { rounds, trims } = trimming({
      maxChars: 1_100,
      rounds: [long('a'), long('b'), round([summary, calls('c')], { c: textOutput(LONG) })],
    });
    expect(outline(rounds[3]?.input ?? [])).toEqual(['compaction', 'call c', `output c: ${LONG}`]);
    expect(trims).toEqual([]);
  });

  it('is the same where rounds come all at once, out of a journal: only what is sent is told', () => {
    const ids = Array.from({ length: 40 }, (_, n) => `c${n}`);
    const options = { maxChars: 5_000, rounds: ids.map(long) };
    const live = trimming(options);
    for (const at of [1, 13, 26, 40]) {
      const replayed = trimming({ ...options, from: at });
      expect(replayed.rounds.map(({ input }) => input)).toEqual(live.rounds.slice(at).map(({ input }) => input));
      expect(replayed.trims).toEqual(live.trims.filter(({ round: index }) => index >= at));
    }
  });
});

it('is counted with each round once more only for what the round has added', () => {
  let looks = 0;
  const items: InputItem[] = [];
  const watched = new Proxy(items, {
    get: (target, key, receiver): unknown => {
      if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  const nothing = (): void => {};
  const { shorten } = new InputTrimmer({ maxChars: 1_000_000, onTrim: nothing, onStuck: nothing });
  for (let index = 0; index < 500; index += 1) {
    const item: InputItem = { type: 'message', role: 'user', content: [{ type: 'input_text', text: `${index}` }] };
    items.push(item);
    expect(shorten(watched, [[item]], index)).toBe(watched);
  }
  expect(looks).toBeLessThan(5_000);
});

describe('what may be left out', () => {
  const output = (type: string, rest: JsonObject = {}): InputItem =>
    ({ type, call_id: 'c', output: LONG, ...rest }) as unknown as InputItem;

  it.each(['function_call_output', 'custom_tool_call_output', 'local_shell_call_output', 'apply_patch_call_output'])(
    'has a note in %s, and everything else it had',
    (type) => {
      const item = output(type, { status: 'completed' });
      expect(isNotable(item)).toBe(true);
      expect(writeNote(item, 'N')).toEqual({ type, call_id: 'c', output: 'N', status: 'completed' });
    },
  );

  it('has a note in the output of a shell, with the outcome of its last command', () => {
    const outcome = { type: 'exit', exit_code: 1 };
    const item = output('shell_call_output', { output: [{ stdout: LONG, stderr: LONG, outcome }] });
    expect(writeNote(item, 'N')).toMatchObject({ output: [{ stdout: 'N', stderr: '', outcome }] });
  });

  it('counts pictures, and has a note in their place', () => {
    const file = { type: 'file', mediaType: 'image/png', source: { type: 'data', base64: LONG } } as const;
    const picture: ToolOutput = { isError: false, content: [{ type: 'text', text: 'Look.' }, file] };
    const first = round([calls('p')], { p: picture });
    const { rounds } = trimming({ maxChars: 1_400, rounds: [first, long('a'), long('b')] });
    const noted = rounds[3]?.input.find((item) => item['type'] === 'function_call_output')?.['output'];
    expect(noted).toMatch(/^\[output of an earlier call, left out: [45]\d\d characters\]$/);
  });

  it.each([
    ['an output that a program reads', output('function_call_output', { caller: { type: 'program', caller_id: 'p' } })],
    ['tools that a search has found', output('tool_search_output', { tools: [] })],
    ['a screenshot', output('computer_call_output', { output: { type: 'computer_screenshot' } })],
  ])('is never %s', (_name, item) => expect(isNotable(item)).toBe(false));

  const shell = (type: string, id: string): AssistantContent => ({
    type: 'item',
    item: serverItem({ type: `shell_call${type}`, call_id: id, action: {}, output: [] }),
  });
  const search = (type: string): AssistantContent => ({
    type: 'item',
    item: serverItem({ type: `tool_search_${type}`, tools: [] }),
  });
  /** The types of items in each exchange that may go. */
  const exchangesOf = (messages: readonly Message[], continues = false): string[][] => {
    const leaveOut = (): void => {};
    const options = { profile: { ...PROFILES.openai }, ids: new WireIds(), leaveOut, continues };
    const exchanges = completeExchanges(convertTurns(pair(messages), options), new Set());
    return exchanges.map((exchange) => exchange.map(({ type }) => type));
  };

  it('are whole exchanges: calls with all their outputs, and the reasoning before them', () => {
    const [a, b, c] = ['a', 'b', 'c'].map(calls) as [AssistantContent, AssistantContent, AssistantContent];
    const outputs = { a: textOutput('ok'), b: textOutput('ok') };
    const messages = [
      ...round([thinks, a, b], outputs),
      ...round([says('Now.'), c], { c: textOutput('ok') }),
      ...round([shell('', 'd'), shell('_output', 'd')], {}),
    ];
    expect(exchangesOf(messages)).toEqual([
      ['reasoning', 'function_call', 'function_call', 'function_call_output', 'function_call_output'],
      ['function_call', 'function_call_output'],
      ['shell_call', 'shell_call_output'],
    ]);
  });

  it.each<[string, Message[]]>([
    ['an output whose call only the server has', round([], { a: textOutput('ok') })],
    ['reasoning alone', round([thinks, says('Now.')], {})],
    [
      'a call whose output stands elsewhere',
      round([shell('', 'a'), shell('', 'b'), shell('_output', 'a'), says('Now.'), shell('_output', 'b')], {}),
    ],
    ['a search that brought tools', round([search('call'), search('output')], {})],
  ])('is not %s', (_name, messages) => expect(exchangesOf(messages, true)).toEqual([]));

  it('leaves text between calls where it is', () => {
    const spoken = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((callId) =>
      round([says(`Now ${callId}.`), calls(callId)], { [callId]: textOutput('ok') }),
    );
    const { rounds } = trimming({ maxChars: 1_200, rounds: spoken });
    const texts = outline(rounds.at(-1)?.input ?? []).filter((line) => line.startsWith('assistant'));
    expect(texts).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((callId) => `assistant: Now ${callId}.`));
  });
});
