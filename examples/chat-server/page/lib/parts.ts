import { getToolName, isToolUIPart } from 'ai';
import type { ChatMessage, ChatPart } from '../../src/types.js';
import type { ShownCall } from './call-views.js';

export type ReasoningPart = Extract<ChatPart, { type: 'reasoning' }>;

/** A call of a tool, whoever runs it. */
export type ToolPart = Extract<ChatPart, { toolCallId: string }>;

export type ToolState = 'running' | 'waiting for you' | 'done' | 'failed' | 'denied' | 'not answered' | 'not run';

/** The message of a call: being written, the last of the chat, or one that the chat went on from. */
export type MessageTime = 'live' | 'last' | 'past';

export interface ToolView {
  readonly name: string;
  readonly state: ToolState;
  /** More about the state, where its word is not enough. */
  readonly remark: string | undefined;
}

export function isToolPart(part: ChatPart): part is ToolPart {
  return isToolUIPart(part);
}

/** A call without an output runs as long as its message is written, and waits as long as that is the last one. */
export function toolView(part: ToolPart, time: MessageTime): ToolView {
  const [state, remark] = stateOf(part, time);
  return {
    name: getToolName(part),
    state,
    remark,
  };
}

function stateOf(part: ToolPart, time: MessageTime): readonly [ToolState, (string | undefined)?] {
  switch (part.state) {
    case 'input-streaming':
    case 'input-available':
      return time === 'live' ? ['running'] : ['failed', 'Interrupted.'];
    case 'approval-requested':
      return time === 'past' ? ['not answered', 'Not run: you sent another message instead.'] : ['waiting for you'];
    case 'approval-responded':
      return part.approval.approved ? APPROVED[time] : ['denied', part.approval.reason];
    case 'output-available':
      if (part.preliminary === true) return ['running'];
      return [stateOfOutput(part.output), outdated(part.output)];
    case 'output-error':
      return ['failed'];
    case 'output-denied':
      return ['denied', part.approval.reason];
  }
}

/** Why a call that a person approved changed nothing. */
function outdated(output: unknown): string | undefined {
  return asObject(output)['isOutdated'] === true ? stringIn(output, 'error') : undefined;
}

const APPROVED: Readonly<Record<MessageTime, readonly [ToolState, string?]>> = {
  live: ['running'],
  last: ['waiting for you', 'Approved. Waiting for your other answers.'],
  past: ['not run', 'Approved, but not run: another question was not answered.'],
};

/** Tools of the app say `ok: false`, MCP tools `isError: true`; a person's no to a sub-agent is an output, too. */
export function stateOfOutput(output: unknown): 'done' | 'failed' | 'denied' {
  const { ok, isError, isDenied } = asObject(output);
  if (ok !== false && isError !== true) return 'done';
  return isDenied === true ? 'denied' : 'failed';
}

/** A call as it is shown. Calls of MCP servers are run by the provider, or are not known to the app: no tool of its own. */
export function callOf(part: ToolPart): ShownCall {
  const isOwn = part.type !== 'dynamic-tool' && part.providerExecuted !== true;
  const descriptor: unknown = part.approval && Reflect.get(part.approval, 'descriptor');
  return { name: getToolName(part), input: part.input, isOwn, descriptor };
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export function stringIn(value: unknown, key: string): string | undefined {
  const found = asObject(value)[key];
  return typeof found === 'string' ? found : undefined;
}

/** Requests for approval that wait for an answer. */
export function openApprovals(message: ChatMessage | undefined): readonly ToolPart[] {
  return (message?.parts ?? []).filter(isToolPart).filter(({ state }) => state === 'approval-requested');
}

/** What a person would copy. */
export function textOf(message: ChatMessage): string {
  return message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** What a tool got or gave, for reading. */
export function readable(value: unknown): string {
  if (typeof value === 'string') return value;
  const { content } = asObject(value);
  const texts = Array.isArray(content) ? content.map((part) => stringIn(part, 'text')) : [];
  const isAllText = texts.length > 0 && texts.every((text) => text !== undefined);
  return isAllText ? texts.join('\n') : (JSON.stringify(value, undefined, 2) ?? '');
}

export interface PlanItem {
  readonly text: string;
  readonly state: string;
}

/** A plan as a message has it. */
export interface MessagePlan {
  readonly messageId: string;
  readonly items: readonly PlanItem[];
}

/** The plan as it was last written down, as long as something of it is to be done. */
export function openPlan(messages: readonly ChatMessage[]): MessagePlan | undefined {
  const message = messages.findLast(({ parts }) => planIn(parts).length > 0);
  const items = planIn(message?.parts ?? []);
  const isOpen = items.some(({ state }) => !isPlanItemDone(state));
  return message && isOpen ? { messageId: message.id, items } : undefined;
}

/** The last state of the plan among these parts. */
export function planIn(parts: readonly ChatPart[]): readonly PlanItem[] {
  return planOf(parts.filter(isToolPart).findLast(isPlanUpdate)?.input);
}

/** A call that shows a plan, and did not fail. */
export function isPlanUpdate(part: ToolPart): boolean {
  if (!callOf(part).isOwn || getToolName(part) !== 'updatePlan') return false;
  const isGood = part.state !== 'output-available' || stateOfOutput(part.output) === 'done';
  return isGood && !['output-error', 'output-denied'].includes(part.state) && planOf(part.input).length > 0;
}

/** Whether something of this message moves on the screen, or waits for a person. */
export function isShowingWork({ parts }: ChatMessage): boolean {
  const last = parts.findLast(({ type }) => type !== 'step-start');
  if (last === undefined) return false;
  if (isToolPart(last)) return !['output-available', 'output-error', 'output-denied'].includes(last.state);
  return (last.type === 'text' || last.type === 'reasoning') && last.state === 'streaming';
}

export function isPlanItemDone(state: string): boolean {
  return ['done', 'completed', 'complete'].includes(state);
}

export function planOf(input: unknown): readonly PlanItem[] {
  const { items } = asObject(input);
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => {
    const text = stringIn(item, 'text');
    return text === undefined ? [] : [{ text, state: stringIn(item, 'state') ?? '' }];
  });
}

/**
 * A part is known by its kind and how many of the kind are shown before it, not by its place: the server stores no steps and
 * no empty texts, so places change when an answer ends, and what has the focus would be drawn anew.
 */
export function keysOfParts(parts: readonly ChatPart[]): readonly string[] {
  const counts = new Map<string, number>();
  return parts.map((part) => {
    const count = counts.get(part.type) ?? 0;
    const isShown = !('text' in part) || part.text.trim() !== '';
    if (isShown) counts.set(part.type, count + 1);
    return isShown ? `${part.type} ${count}` : `${part.type} empty ${count}`;
  });
}
