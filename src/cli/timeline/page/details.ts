import type { CallView, ConversationView, MarkView, RequestView, RoundView, ToolView, Totals } from '../model.js';
import { estimatedTokens } from '../../../util/estimated-tokens.js';
import { money, totalsOf } from '../totals.js';
import { badge } from './cells.js';
import { type Child, h } from './dom.js';
import { dateTime, duration, full, percent, plural, share } from './format.js';
import { itemsList } from './items.js';
import type { Row } from './rows.js';
import { textBlock } from './text-block.js';
import { numbersOf, type PageTexts } from './texts.js';

/** Returns all known facts of a line. */
export function detailsOf(row: Row, texts: PageTexts): readonly Child[] {
  if (row.kind === 'outside') return [marksList(row.marks, dateTime)];
  if (row.kind === 'call') return ofCall(row.call);
  return row.kind === 'round' ? ofRound(row, texts) : ofTool(row, texts);
}

export function titleOf(row: Row): string {
  if (row.kind === 'outside') return 'Outside of calls';
  if (row.kind === 'call') return `Call ${row.call.number}`;
  return row.kind === 'round' ? `Round ${row.round.round + 1}` : row.tool.name;
}

function ofCall(call: CallView): Child[] {
  return [
    facts({
      Model: call.model,
      Began: dateTime(call.at),
      Took: duration(call.ms),
      End: call.finish === '' ? 'not in the file' : call.finish,
      Rounds: full(call.rounds.length),
      Tools:
        call.tools.length === 0 ? 'none' : `${full(call.tools.length)}, at most ${full(call.lanes)} at the same time`,
      ...tokens(totalsOf(call)),
    }),
    section('Its conversation', call.conversation && conversationOf(call.conversation)),
    call.bill.length === 0 ? undefined : section('Outputs of tools as input, an estimate', billOf(call)),
    section('Error', call.error === undefined ? undefined : textBlock(call.error)),
    call.marks.length === 0 ? undefined : section('What happened beside', marksList(call.marks, duration)),
  ];
}

function conversationOf({ calls, totals }: ConversationView): HTMLElement {
  return facts({ Calls: calls.map(full).join(', '), ...tokens(totals) });
}

function billOf({ bill }: CallView): HTMLElement {
  const dearest = bill.toSorted((a, b) => b.tokens - a.tokens);
  return facts(
    Object.fromEntries(
      dearest.map(({ tool, runs, chars, tokens: estimate }) => [
        tool,
        `about ${full(estimate)} tokens; ${plural(runs, 'run')}, ${full(chars)} characters`,
      ]),
    ),
  );
}

function tokens(usage: Pick<RoundView, 'input' | 'cached' | 'output' | 'reasoning' | 'cost'> | Totals): Facts {
  const { input, cached, output, reasoning, cost } = usage;
  return {
    'Tokens in': input === undefined ? undefined : full(input),
    Cached: cached === undefined ? undefined : `${full(cached)} (${percent(share(cached, input))})`,
    'Tokens out': output === undefined ? undefined : full(output),
    Reasoning: reasoning === undefined ? undefined : full(reasoning),
    Cost: money(cost),
  };
}

function ofRound({ call, round, marks }: Extract<Row, { kind: 'round' }>, texts: PageTexts): Child[] {
  const several = round.requests.length > 1;
  return [
    facts({
      Began: `${duration(round.from)} after the call`,
      Took: duration(round.ms),
      'First part': round.firstMs === undefined ? undefined : `after ${duration(round.firstMs)}`,
      End: round.finish === '' ? 'not in the file' : round.finish,
      ...tokens(round),
      Response: round.responseId,
      Replayed: round.replayed === true ? 'out of a journal: its tokens are not counted again' : undefined,
    }),
    marks.length === 0 ? undefined : section('What happened beside', marksList(marks, duration)),
    ...round.requests.flatMap((request, at) =>
      ofRequest(request, several ? ` ${at + 1}` : '', (number) => texts.value(call.group, number)),
    ),
  ];
}

type Read = (number: number) => unknown;

function ofRequest(request: RequestView, number: string, read: Read): Child[] {
  const { method = 'POST', url, status, ms, error, transport, fresh, again, input, known, lists } = request;
  const isSocket = transport === 'websocket';
  const answer = error ?? (status === undefined ? undefined : `${status} after ${duration(ms)}`);
  const older = numbersOf(input, 1, known);
  const againTitle = isSocket ? 'Kept by the server' : 'Sent again';
  return [
    h('h3', {}, `Request${number}`),
    facts({ [isSocket ? 'WebSocket' : method]: url, Answer: answer }),
    h(
      'p',
      { class: 'sum' },
      badge(`${plural(fresh.items, 'new item')}, ${full(fresh.chars)} characters`, 'new'),
      badge(
        `${full(again.items)} ${isSocket ? 'kept by the server' : 'sent again'}, ${full(again.chars)} characters`,
        'again',
      ),
    ),
    itemsList(numbersOf(input, known + 1), read),
    older.length === 0
      ? undefined
      : folded(`${againTitle}: ${plural(older.length, 'item')}`, () => itemsList(older, read)),
    ...Object.entries(lists).map(([name, span]) => {
      const numbers = numbersOf(span);
      return folded(`${nameOf(name)}: ${full(numbers.length)}`, () => itemsList(numbers, read));
    }),
    ...Object.entries(request.values).map(([name, value]) => folded(nameOf(name), () => textBlock(read(value)))),
    Object.keys(request.body).length === 0 ? undefined : folded('Other settings', () => textBlock(request.body)),
  ];
}

const nameOf = (member: string): string => member.replace(/^body\./, '');

function ofTool({ call, tool }: Extract<Row, { kind: 'tool' }>, texts: PageTexts): Child[] {
  const { args, sent } = tool;
  return [
    facts({
      Tool: tool.name,
      Source: tool.source,
      State: STATES[tool.state],
      Round: full(tool.round + 1),
      Began: `${duration(tool.from)} after the call`,
      Took: tool.state === 'denied' || tool.state === 'asked' ? undefined : duration(tool.ms),
      Approval: tool.approval,
      'Waited for it': tool.waitMs === undefined || tool.waitMs === 0 ? undefined : duration(tool.waitMs),
      'Length of the output':
        tool.chars === undefined
          ? undefined
          : `${full(tool.chars)} characters, about ${full(estimatedTokens(tool.chars))} tokens in every later request (an estimate)`,
      'Call id': tool.callId,
      Replayed: tool.replayed === true ? 'out of a journal: it did not run again' : undefined,
    }),
    tool.notes.length === 0 ? undefined : section('On the way', textBlock(tool.notes.join('\n'))),
    args === undefined ? undefined : section('Arguments', textBlock(texts.value(0, args))),
    section(
      sent === undefined ? 'Output (its beginning)' : 'Output',
      outputOf(tool, sent, (group, number) => texts.value(group, number), call.group),
    ),
  ];
}

const STATES = {
  done: 'done',
  error: 'failed',
  denied: 'denied',
  asked: 'waits for the user',
  open: 'no end in the file',
} as const;

function outputOf(
  { output }: ToolView,
  sent: number | undefined,
  value: PageTexts['value'],
  group: number,
): HTMLElement | undefined {
  if (sent !== undefined) return textBlock((value(group, sent) as { readonly output?: unknown } | null)?.output ?? '');
  return output === undefined ? undefined : textBlock(value(0, output));
}

function marksList(marks: readonly MarkView[], time: (from: number) => string): HTMLElement {
  const entries = marks.map(({ from, kind, tone, text }) =>
    h('li', {}, h('span', { class: 'when' }, time(from)), badge(kind, tone), h('span', { class: 'said' }, text)),
  );
  return h('ol', { class: 'marks' }, ...entries);
}

type Facts = Readonly<Record<string, string | undefined>>;

function facts(all: Facts): HTMLElement {
  const entries = Object.entries(all).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [h('dt', {}, name), h('dd', {}, value)],
  );
  return h('dl', {}, ...entries);
}

function section(title: string, content: Child): HTMLElement | undefined {
  return content === undefined ? undefined : h('section', {}, h('h3', {}, title), content);
}

/** Built when it is first opened. */
function folded(title: string, make: () => Node): HTMLElement {
  const element = h('details', {}, h('summary', {}, title));
  element.addEventListener('toggle', () => element.append(make()), { once: true });
  return element;
}
