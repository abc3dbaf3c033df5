import type { AnswerTurn, CallEntry, Entry, Turn } from '../core/entry.js';
import type { ToolCallContent, ToolOutput } from '../core/message.js';
import { defined } from '../util/defined.js';
import type { InputItem } from '../wire/input-item.js';
import { convertApproval } from './convert-content.js';
import { type CallOfOutput, convertCallOutput, type OutputRules } from './convert-tool-output.js';
import { INTERRUPTED } from './convert-turns.js';

/** An output that the server lacks. */
interface Answer {
  readonly wireId: string;
  readonly call: CallOfOutput;
  readonly output: ToolOutput;
  readonly at: number;
}

/** Returns the outputs made behind the last answer of the model. Calls that the server answered are not answered again. */
export function outputsOfLastRound(turns: readonly Turn[], rules: OutputRules): InputItem[] {
  const last = turns.findLast(isAnswer);
  return convertAnswers(last === undefined ? [] : answersBehind(turns, last.end), rules);
}

/**
 * Splits off the parts that a conversation at the server lacks: outputs of calls at the end of the server's last turn,
 * the user's decisions on its requests, and everything after that turn. No server has the app's own messages.
 */
export function newToConversation(
  turns: readonly Turn[],
  rules: OutputRules,
): { readonly outputs: readonly InputItem[]; readonly rest: readonly Turn[] } {
  const at = turns.findLastIndex((turn) => isAnswer(turn) && turn.entries.some(isServers));
  const turn = turns[at];
  if (turn === undefined || !isAnswer(turn)) return { outputs: [], rest: turns };
  const behind = turns.slice(at + 1);
  const lastOfServer = turn.entries.findLastIndex(isServers);
  const added = turn.entries.filter((entry, index) => index > lastOfServer && entry.type === 'text');
  const open = openCalls(turn, new Set(added));
  const known = [
    ...open.flatMap((call) => (isIn(turn, call.answeredAt) ? answerOf(call) : [])),
    ...answersBehind(turns.slice(0, at + 1), turn.end),
    ...answersBehind(
      behind.filter(({ role }) => role === 'tool'),
      turn.end,
    ),
  ].toSorted((one, other) => one.at - other.at);
  const unanswered = open.filter(({ output }) => output === undefined);
  const interrupted = unanswered.flatMap((call) => answerOf({ ...call, output: INTERRUPTED }));
  const entries = behind.flatMap((one) => ('entries' in one ? one.entries : []));
  const approvals = entries.filter((entry) => entry.type === 'approval');
  const decisions = new Map(approvals.map(({ approval }) => [approval.approvalId, approval]));
  return {
    outputs: [...convertAnswers([...known, ...interrupted], rules), ...[...decisions.values()].map(convertApproval)],
    rest: [
      ...(added.length === 0 ? [] : [{ ...turn, entries: added }]),
      ...behind.filter(({ role }) => role !== 'tool'),
    ],
  };
}

function isAnswer(turn: Turn): turn is AnswerTurn {
  return turn.role === 'assistant';
}

/** Whether a server made it, because an app's own answer has no id. */
function isServers(entry: Entry): boolean {
  if (entry.type === 'item') return true;
  if (entry.type === 'text') return entry.itemId !== undefined;
  if (entry.type === 'reasoning') return entry.itemId !== undefined || entry.origin !== undefined;
  if (entry.type !== 'call') return false;
  const { itemId, inRound, wireCallId, wasHidden } = entry.call;
  return [itemId, inRound, wireCallId, wasHidden].some((fact) => fact !== undefined);
}

/**
 * Returns the calls of the turn's last round if the server waits for them. If rounds have names, a text may be between
 * the calls of a round. A call without the name of its round counts if it or its output is at the end.
 */
function openCalls(turn: AnswerTurn, added: ReadonlySet<Entry>): readonly CallEntry[] {
  const calls = turn.entries.filter((entry) => entry.type === 'call');
  const end = turn.entries.findLast((entry) => entry.type !== 'call' && !added.has(entry))?.at ?? -1;
  const isAtEnd = ({ at, answeredAt }: CallEntry): boolean =>
    at > end || (isIn(turn, answeredAt) && (answeredAt ?? 0) > end);
  const last = calls.at(-1)?.call.inRound;
  if (last === undefined) return calls.filter(isAtEnd);
  const isLast = ({ call }: CallEntry): boolean => call.inRound === last;
  const waits = calls.some((call) => isAtEnd(call) || (isLast(call) && !isIn(turn, call.answeredAt)));
  return waits ? calls.filter((call) => isLast(call) || (call.call.inRound === undefined && isAtEnd(call))) : [];
}

function isIn({ end }: AnswerTurn, at: number | undefined): boolean {
  return at !== undefined && at < end;
}

function answersBehind(turns: readonly Turn[], end: number): Answer[] {
  const entries = turns.flatMap((turn) => ('entries' in turn ? turn.entries : []));
  return entries
    .flatMap((entry) => {
      if (entry.type === 'call') return (entry.answeredAt ?? -1) < end ? [] : answerOf(entry);
      if (entry.type !== 'output' || entry.at < end) return [];
      const { result, at } = entry;
      return [{ wireId: result.wireCallId ?? result.callId, call: result, output: result.output, at }];
    })
    .toSorted((one, other) => one.at - other.at);
}

function answerOf({ call, output, answeredAt = 0 }: CallEntry): Answer[] {
  return output === undefined ? [] : [{ wireId: call.wireCallId ?? call.callId, call, output, at: answeredAt }];
}

/** Uses the server's call ids; calls from one wrapper share its id and one output. */
function convertAnswers(answers: readonly Answer[], rules: OutputRules): InputItem[] {
  const byId = new Map<string, { readonly call: CallOfOutput; readonly outputs: ToolOutput[] }>();
  for (const { wireId, call, output } of answers) {
    const known = byId.get(wireId);
    if (known === undefined) byId.set(wireId, { call, outputs: [output] });
    else known.outputs.push(output);
  }
  return [...byId].flatMap(([wireId, { call, outputs }]) =>
    convertCallOutput(call, wireId, joinOutputs(outputs), rules),
  );
}

/**
 * Returns turns in which the calls of one wrapper are that one call, with one output, because the server remembers the
 * wrapper. Only if all of them have outputs; otherwise each is sent separately.
 */
export function rewrapped(turns: readonly Turn[]): readonly Turn[] {
  const groups = new Map<string, CallEntry[]>();
  for (const turn of turns) {
    if (!isAnswer(turn)) continue;
    for (const entry of turn.entries) {
      const id = entry.type === 'call' ? entry.call.wrapper?.callId : undefined;
      if (entry.type === 'call' && id !== undefined) groups.set(id, [...(groups.get(id) ?? []), entry]);
    }
  }
  const wholes = new Map([...groups].filter(([, calls]) => isWhole(calls)));
  if (wholes.size === 0) return turns;
  const rewrap = (entry: Entry): readonly Entry[] => {
    const calls = entry.type === 'call' ? wholes.get(entry.call.wrapper?.callId ?? '') : undefined;
    if (calls === undefined || entry.type !== 'call') return [entry];
    return entry === calls[0] ? [wrapperOf(entry, calls)] : [];
  };
  return turns.map((turn) => (isAnswer(turn) ? { ...turn, entries: turn.entries.flatMap(rewrap) } : turn));
}

function isWhole(calls: readonly CallEntry[]): boolean {
  const count = calls[0]?.call.wrapper?.count;
  const places = new Set(calls.flatMap(({ call, output }) => (output === undefined ? [] : [call.wrapper?.index])));
  const isCounted = [...places].every((at) => at !== undefined && Number.isInteger(at) && at >= 0 && at < (count ?? 0));
  return isCounted && calls.length === count && places.size === count && argumentsOf(calls) !== undefined;
}

function argumentsOf(calls: readonly CallEntry[]): string | undefined {
  return calls.find(({ call }) => call.wrapper?.index === 0)?.call.wrapper?.arguments;
}

function wrapperOf(first: CallEntry, calls: readonly CallEntry[]): CallEntry {
  const { callId = '', name = '' } = first.call.wrapper ?? {};
  const { members, inRound } = first.call;
  const inOrder = calls.toSorted((one, other) => indexOf(one) - indexOf(other));
  const call: ToolCallContent = {
    type: 'tool-call',
    callId,
    name,
    arguments: argumentsOf(calls) ?? '',
    ...defined({ members, inRound }),
  };
  return { ...first, call, output: joinOutputs(inOrder.flatMap(({ output }) => output ?? [])) };
}

function indexOf({ call }: CallEntry): number {
  return call.wrapper?.index ?? 0;
}

/** Joins the outputs of wrapped calls into the wrapper's single output. */
function joinOutputs(outputs: readonly ToolOutput[]): ToolOutput {
  const [only] = outputs;
  if (only !== undefined && outputs.length === 1) return only;
  const additionalTools = outputs.flatMap((output) => output.additionalTools ?? []);
  return {
    isError: outputs.every((output) => output.isError),
    content: outputs.flatMap((output) => output.content),
    ...(additionalTools.length === 0 ? {} : { additionalTools }),
  };
}
