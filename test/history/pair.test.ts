import { describe, expect, it } from 'vitest';
import { serverItem } from '../../src/core/call-items.js';
import type { Entry, Turn } from '../../src/core/entry.js';
import type { JsonObject } from '../../src/core/json.js';
import { type AssistantContent, type Message, textOutput, type ToolMessage } from '../../src/core/message.js';
import { KnownItems } from '../../src/history/known-items.js';
import { asString } from '../../src/util/guards.js';
import { pair } from '../../src/history/pair.js';

const call = (callId: string, rest: object = {}): AssistantContent => ({
  type: 'tool-call',
  callId,
  name: 'add',
  arguments: '{}',
  ...rest,
});
const result = (callId: string, text = callId) => ({ type: 'tool-result', callId, output: textOutput(text) }) as const;
const text = (words: string): AssistantContent => ({ type: 'text', text: words });
const item = (type: string, rest: JsonObject = {}): AssistantContent => ({
  type: 'item',
  item: serverItem({ type, ...rest }),
});
const request = (id: string): AssistantContent =>
  item('mcp_approval_request', { id, server_label: 's', name: 'n', arguments: '{}' });
const approval = (approvalId: string, approved = true) => ({ type: 'approval', approvalId, approved }) as const;
const ours = (callId: string, approved = true) => approval(`responses-loop::${callId}`, approved);
const user: Message = { role: 'user', content: [{ type: 'text', text: 'Hi' }] };
const assistant = (...content: AssistantContent[]): Message => ({ role: 'assistant', content });
const tool = (...content: ToolMessage['content'][number][]): Message => ({ role: 'tool', content });

/** A line per entry. */
function lines(turns: readonly Turn[]): string[] {
  return turns.flatMap((turn) => ('entries' in turn ? turn.entries.map(lineOf) : [turn.role]));
}

function lineOf(entry: Entry): string {
  if (entry.type === 'call') {
    const [said] = entry.output?.content ?? [];
    const output = said?.type === 'text' ? ` = ${said.text}` : '';
    const answer = entry.approval === undefined ? '' : entry.approval.approved ? ', allowed' : ', denied';
    return `${entry.call.callId}${output}${answer}${entry.wasAsked === true && answer === '' ? ', asked' : ''}`;
  }
  if (entry.type === 'text') return entry.text;
  if (entry.type === 'output') return `loose ${entry.result.callId}`;
  if (entry.type === 'approval')
    return `${entry.approval.approvalId}: ${entry.answers === undefined ? 'unknown' : 'known'}`;
  if (entry.type !== 'item') return entry.type;
  const [type, id] = [asString(entry.item['type']), asString(entry.item['call_id'])];
  const to = entry.answers === undefined ? '' : ' answers';
  return [type, id, entry.fault].filter((word) => word !== undefined).join(' ') + to;
}

const isSame = (): boolean => true;
const paired = (...messages: Message[]): string[] => lines(pair(messages, { isSame }));

describe('a call owns its output', () => {
  it.each<[string, Message[], string[]]>([
    ['beside it', [assistant(call('a'), result('a'))], ['a = a']],
    ['in a tool message', [assistant(call('a'), text('T')), tool(result('a'))], ['a = a', 'T']],
    ['behind the next question', [assistant(call('a')), user, tool(result('a'))], ['a = a', 'user']],
    ['none: it stays open', [assistant(call('a'), text('T'))], ['a', 'T']],
    [
      'of two with one id, the nearest before the output',
      [assistant(call('a')), assistant(call('a', { wasHidden: true }), result('a'))],
      ['a', 'a = a'],
    ],
    [
      'each of two with one id',
      [assistant(call('a', { inRound: '1' }), result('a', '1'), call('a', { inRound: '2' }), result('a', '2'))],
      ['a = 1', 'a = 2'],
    ],
    ['the first of two outputs', [assistant(call('a')), tool(result('a', '1'), result('a', '2'))], ['a = 1']],
    ['never one that came before it', [tool(result('a', 'early')), assistant(call('a'))], ['loose a', 'a']],
  ])('%s', (_name, messages, expected) => expect(lines(pair(messages))).toEqual(expected));

  it('an output without a call is kept by itself, once, if a tool message brings it', () => {
    expect(paired(user, tool(result('a'), result('a')))).toEqual(['user', 'loose a']);
    expect(paired(assistant(result('a')))).toEqual([]);
  });
});

describe('calls belong together', () => {
  const runsOf = (...contents: AssistantContent[]): unknown[] => {
    const [turn] = pair([assistant(...contents)]);
    const entries = turn !== undefined && 'entries' in turn ? turn.entries : [];
    const runs = entries.flatMap((entry) => (entry.type === 'call' ? [entry.run] : []));
    return runs.map((run) => runs.indexOf(run));
  };

  it.each<[string, AssistantContent[], number[]]>([
    ['in a row', [call('a'), call('b'), result('a'), result('b')], [0, 0]],
    ['up to a result', [call('a'), result('a'), call('b'), result('b')], [0, 1]],
    [
      'over a result that came early, if the round has a name',
      [call('a', { inRound: 'r' }), result('a'), call('b', { inRound: 'r' })],
      [0, 0],
    ],
    ['up to a text', [call('a'), text('T'), call('b')], [0, 1]],
  ])('%s', (_name, contents, expected) => expect(runsOf(...contents)).toEqual(expected));
});

describe('a call owns its approval', () => {
  it.each<[string, Message[], string[]]>([
    ['an answer of the user', [assistant(call('a')), tool(ours('a'))], ['a, allowed']],
    ['the last of two answers', [assistant(call('a')), tool(ours('a'), ours('a', false))], ['a, denied']],
    ['a mark that the user was asked', [assistant(call('a'), { type: 'asked', callId: 'a' })], ['a, asked']],
    ['never a hidden call', [assistant(call('a', { wasHidden: true })), tool(ours('a'))], ['a']],
    ['never a call that comes later', [tool(ours('a')), assistant(call('a'))], ['a']],
    [
      'a call that is emitted again is the same call',
      [assistant(call('a')), assistant(call('a')), tool(ours('a'))],
      ['a, allowed'],
    ],
    [
      'a call that was answered is another one',
      [assistant(call('a'), result('a')), assistant(call('a'))],
      ['a = a', 'a'],
    ],
    [
      'a denied call may come back until the user speaks',
      [assistant(call('a')), tool(ours('a', false), result('a')), assistant(call('a')), user, assistant(call('a'))],
      ['a = a, denied', 'user', 'a'],
    ],
    [
      'what is left of a repeated turn belongs to the turn before',
      [assistant(call('a')), assistant(call('a'), result('a'))],
      ['a = a'],
    ],
  ])('%s', (_name, messages, expected) => expect(paired(...messages)).toEqual(expected));

  it('a request of a server has one answer, and comes once', () => {
    expect(paired(assistant(request('q')), assistant(request('q')), tool(approval('q'), approval('q', false)))).toEqual(
      ['mcp_approval_request', 'q: known'],
    );
    expect(paired(tool(approval('q')))).toEqual(['q: unknown']);
  });
});

describe('items of a server', () => {
  const shell = (id: string) => item('shell_call', { call_id: id, action: {} });
  const output = (id: string) => item('shell_call_output', { call_id: id, output: [] });
  const program = item('program', { call_id: 'p', code: '1' });
  const given = item('program_output', { call_id: 'p', result: '1' });
  const search = item('tool_search_call', { execution: 'server' });
  const found = item('tool_search_output', { tools: [] });

  it.each<[string, AssistantContent[], string[]]>([
    [
      'an output answers its call, at its place',
      [shell('a'), text('T'), output('a')],
      ['shell_call a', 'T', 'shell_call_output a answers'],
    ],
    [
      'an output before its call moves behind it',
      [output('a'), text('T'), shell('a')],
      ['T', 'shell_call a', 'shell_call_output a answers'],
    ],
    ['an output without a call', [output('a')], ['shell_call_output a it has no call']],
    ['a call that the client had to answer', [shell('a')], ['shell_call a it has no output']],
    ['a call that the server runs needs no output', [program], ['program p']],
    [
      'a call and an output that come twice',
      [shell('a'), output('a'), shell('a'), output('a')],
      [
        'shell_call a',
        'shell_call_output a answers',
        'shell_call a it comes twice',
        'shell_call_output a it comes twice',
      ],
    ],
    [
      'what a program gave, in a part and in a carrier',
      [program, given, given],
      ['program p', 'program_output p answers'],
    ],
    [
      'searches of the server have no ids',
      [search, found, search, found],
      ['tool_search_call', 'tool_search_output answers', 'tool_search_call', 'tool_search_output answers'],
    ],
  ])('%s', (_name, contents, expected) => expect(paired(assistant(...contents))).toEqual(expected));

  it('an output waits for its call in its own turn only: a posted history has no output without its call', () => {
    expect(paired(assistant(output('a')), assistant(shell('a')))).toEqual([
      'shell_call_output a it has no call',
      'shell_call a it has no output',
    ]);
  });

  it('a program may give its output in a later part of the conversation', () => {
    const known = new KnownItems(pair([assistant(program)]));
    expect(lines(pair([assistant(given)], { known }))).toEqual(['program_output p answers']);
    expect(lines(pair([assistant(given, program)], { known }))).toEqual(['program p it comes twice']);
  });
});
