import type { WrapperPlace } from '../core/call-items.js';
import type {
  ApprovalContent,
  AssistantContent,
  Message,
  ToolCallContent,
  ToolOutput,
  ToolResultContent,
} from '../core/message.js';
import { defined } from '../util/defined.js';
import type { InputItem } from '../wire/input-item.js';
import { convertApproval } from './convert-content.js';
import { INTERRUPTED } from './convert-conversation.js';
import { type CallOfOutput, convertCallOutput, type OutputRules } from './convert-tool-output.js';

/** What we answered in the last round. Calls the server answered itself are not answered again. */
export function outputsOfLastRound(added: readonly Message[], rules: OutputRules): InputItem[] {
  const lastRound = added.slice(added.findLastIndex((message) => message.role === 'assistant'));
  return convertOutputs(callsIn(lastRound), resultsIn(lastRound), rules);
}

/**
 * What a conversation kept by the server does not hold yet: the outputs of calls at the end of the last turn that came from
 * a server (ours are in it, the client's behind it), the user's decisions on approval requests of the server, and everything
 * behind that turn. What an app wrote itself, an answer among it, no server has.
 */
export function newToConversation(
  prompt: readonly Message[],
  rules: OutputRules,
): { outputs: InputItem[]; rest: readonly Message[] } {
  const at = prompt.findLastIndex((message) => message.role === 'assistant' && message.content.some(isServers));
  const turn = prompt[at];
  if (turn?.role !== 'assistant') return { outputs: [], rest: prompt };
  const behind = prompt.slice(at + 1);
  const end = turn.content.findLastIndex(isServers) + 1;
  const added = turn.content.slice(end).filter((content) => content.type === 'text');
  const open = openEnd(turn.content.filter((content, index) => index < end || content.type !== 'text'));
  const newCalls = callsIn(behind);
  const results = resultsIn(behind).filter(({ callId }) => !newCalls.has(callId));
  const known = [...open.filter((content) => content.type === 'tool-result'), ...results];
  const withoutKnown = (message: Message): Message[] => {
    if (message.role !== 'tool') return [message];
    const content = message.content.filter((one) => one.type === 'tool-result' && newCalls.has(one.callId));
    return content.length === 0 ? [] : [{ ...message, content }];
  };
  return {
    outputs: [
      ...convertOutputs(callsIn(prompt), [...known, ...interrupted(open, known)], rules),
      ...approvalsIn(behind).map(convertApproval),
    ],
    rest: [...(added.length === 0 ? [] : [{ ...turn, content: added }]), ...behind.flatMap(withoutKnown)],
  };
}

/** It came from a server: an app that writes an answer itself gives it no id. */
function isServers(content: AssistantContent): boolean {
  if (content.type === 'item') return true;
  if (content.type === 'text') return content.itemId !== undefined;
  if (content.type === 'reasoning') return content.itemId !== undefined || content.origin !== undefined;
  if (content.type !== 'tool-call') return false;
  const { itemId, inRound, wireCallId, wasHidden } = content;
  return [itemId, inRound, wireCallId, wasHidden].some((fact) => fact !== undefined);
}

/** Calls that never got an output: the server would refuse every later turn. */
function interrupted(open: readonly AssistantContent[], known: readonly ToolResultContent[]): ToolResultContent[] {
  const answered = new Set(known.map(({ callId }) => callId));
  const calls = open.filter((content) => content.type === 'tool-call').map(({ callId }) => callId);
  const unanswered = calls.filter((callId) => !answered.has(callId));
  return unanswered.map((callId) => ({ type: 'tool-result', callId, output: INTERRUPTED }));
}

/**
 * Calls and results of the turn's last round, if the server waits for them. Where rounds have names, a text may stand
 * between the calls of one, and outputs of earlier ones, which the server has, before them.
 */
function openEnd(content: readonly AssistantContent[]): readonly AssistantContent[] {
  const end = content.slice(content.findLastIndex((entry) => !isCallOrResult(entry)) + 1);
  const entries = content.filter(isCallOrResult);
  const roundOf = new Map(
    entries.flatMap((entry) => (entry.type === 'tool-call' ? [[entry.callId, entry.inRound]] : [])),
  );
  const last = [...roundOf.values()].at(-1);
  if (last === undefined) return end;
  const settled = new Set(entries.flatMap((entry) => (entry.type === 'tool-result' ? [entry.callId] : [])));
  const isWaiting = end.length > 0 || [...roundOf].some(([callId, round]) => round === last && !settled.has(callId));
  if (!isWaiting) return [];
  const atEnd = new Set(end);
  // A call without the name of its round counts where it is at the end.
  return entries.filter((entry) => {
    const round = roundOf.get(entry.callId);
    return round === undefined ? atEnd.has(entry) : round === last;
  });
}

function isCallOrResult(entry: MessageContent): entry is ToolCallContent | ToolResultContent {
  return entry.type === 'tool-call' || entry.type === 'tool-result';
}

function callsIn(messages: readonly Message[]): ReadonlyMap<string, ToolCallContent> {
  const contents = messages.flatMap((message) => (message.role === 'assistant' ? message.content : []));
  const calls = contents.filter((content) => content.type === 'tool-call');
  return new Map(calls.map((call) => [call.callId, call]));
}

function answersIn(messages: readonly Message[]): (ToolResultContent | ApprovalContent)[] {
  return messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
}

function resultsIn(messages: readonly Message[]): ToolResultContent[] {
  return answersIn(messages).filter((content) => content.type === 'tool-result');
}

function approvalsIn(messages: readonly Message[]): ApprovalContent[] {
  const approvals = answersIn(messages).filter((content) => content.type === 'approval');
  // Some versions of the AI SDK write a denial twice.
  return [...new Map(approvals.map((approval) => [approval.approvalId, approval])).values()];
}

/** Under the call ids the server gave; calls that came in one wrapper share its id and are answered in one output. */
function convertOutputs(
  calls: ReadonlyMap<string, ToolCallContent>,
  results: readonly ToolResultContent[],
  rules: OutputRules,
): InputItem[] {
  const answers = new Map<string, { readonly call: CallOfOutput; readonly outputs: ToolOutput[] }>();
  for (const result of results) {
    const { callId, output } = result;
    const call = calls.get(callId);
    const wireId = call?.wireCallId ?? callId;
    const answer = answers.get(wireId) ?? { call: call ?? result, outputs: [] };
    answer.outputs.push(output);
    answers.set(wireId, answer);
  }
  return [...answers].flatMap(([wireId, { call, outputs }]) =>
    convertCallOutput(call, wireId, joinOutputs(outputs), rules),
  );
}

type MessageContent = Extract<Message, { role: 'assistant' | 'tool' }>['content'][number];

/** The calls of a wrapper by their places in it, and what they gave. */
interface Group {
  readonly wrapper: WrapperPlace;
  readonly calls: Map<number, ToolCallContent>;
  readonly outputs: Map<string, ToolOutput>;
}

/**
 * The calls that came in one wrapper as that one call, with one output, where the server remembers the wrapper. Only if all of
 * them are there, answered; in any other request each goes by itself.
 */
export function rewrapped(messages: readonly Message[]): readonly Message[] {
  const groups = groupsIn(messages);
  if (groups.size === 0) return messages;
  const groupOf = new Map(
    [...groups.values()].flatMap((group) => [...group.calls.values()].map(({ callId }) => [callId, group] as const)),
  );
  const called = new Set<Group>();
  const answered = new Set<Group>();
  /** The first call of a group is the wrapper, and the first output all of them. */
  const rewrap = <T extends MessageContent>(content: T): (T | ToolCallContent | ToolResultContent)[] => {
    const group = isCallOrResult(content) ? groupOf.get(content.callId) : undefined;
    if (group === undefined) return [content];
    const done = content.type === 'tool-call' ? called : answered;
    if (done.has(group)) return [];
    done.add(group);
    return [content.type === 'tool-call' ? wrapperCall(group, content) : wrapperResult(group)];
  };
  return messages.map((message): Message => {
    if (message.role === 'assistant') return { ...message, content: message.content.flatMap(rewrap) };
    if (message.role !== 'tool') return message;
    const content = message.content.flatMap(rewrap);
    return { ...message, content: content.filter((one) => one.type !== 'tool-call') };
  });
}

function groupsIn(messages: readonly Message[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  const byCall = new Map<string, Group>();
  for (const message of messages) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const content of message.content) {
      if (content.type === 'tool-call' && content.wrapper !== undefined) {
        const { wrapper } = content;
        const group = groups.get(wrapper.callId) ?? { wrapper, calls: new Map(), outputs: new Map() };
        groups.set(wrapper.callId, group);
        group.calls.set(wrapper.index, content);
        byCall.set(content.callId, group);
      } else if (content.type === 'tool-result')
        byCall.get(content.callId)?.outputs.set(content.callId, content.output);
    }
  }
  return new Map([...groups].filter(([, group]) => isWhole(group)));
}

function isWhole({ wrapper, calls, outputs }: Group): boolean {
  if (calls.size !== wrapper.count || outputs.size !== wrapper.count) return false;
  const isCounted = [...calls.keys()].every((index) => Number.isInteger(index) && index >= 0 && index < wrapper.count);
  return isCounted && calls.get(0)?.wrapper?.arguments !== undefined;
}

function wrapperCall({ wrapper, calls }: Group, { members, inRound }: ToolCallContent): ToolCallContent {
  const { callId, name } = wrapper;
  const text = calls.get(0)?.wrapper?.arguments ?? '';
  return { type: 'tool-call', callId, name, arguments: text, ...defined({ members, inRound }) };
}

function wrapperResult({ wrapper, calls, outputs }: Group): ToolResultContent {
  const inOrder = [...calls].toSorted(([a], [b]) => a - b).flatMap(([, { callId }]) => outputs.get(callId) ?? []);
  return { type: 'tool-result', callId: wrapper.callId, output: joinOutputs(inOrder) };
}

/** What several calls gave, as the one output of the call that they came in. */
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
