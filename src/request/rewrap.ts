import type { WrapperPlace } from '../core/call-items.js';
import type { Message, ToolCallContent, ToolOutput, ToolResultContent } from '../core/message.js';
import { defined } from '../util/defined.js';

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
    if (content.type !== 'tool-call' && content.type !== 'tool-result') return [content];
    const group = groupOf.get(content.callId);
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
  const isCounted = [...calls.keys()].every((index) => Number.isInteger(index) && index >= 0 && index < wrapper.count);
  return (
    isCounted &&
    calls.size === wrapper.count &&
    outputs.size === wrapper.count &&
    calls.get(0)?.wrapper?.arguments !== undefined
  );
}

function wrapperCall({ wrapper, calls }: Group, first: ToolCallContent): ToolCallContent {
  const { callId, name } = wrapper;
  const text = calls.get(0)?.wrapper?.arguments ?? '';
  return {
    type: 'tool-call',
    callId,
    name,
    arguments: text,
    ...defined({ members: first.members, inRound: first.inRound }),
  };
}

function wrapperResult({ wrapper, calls, outputs }: Group): ToolResultContent {
  const inOrder = [...calls].toSorted(([a], [b]) => a - b).flatMap(([, { callId }]) => outputs.get(callId) ?? []);
  return { type: 'tool-result', callId: wrapper.callId, output: joinOutputs(inOrder) };
}

/** What several calls gave, as the one output of the call that they came in. */
export function joinOutputs(outputs: readonly ToolOutput[]): ToolOutput {
  const [only] = outputs;
  if (only !== undefined && outputs.length === 1) return only;
  const additionalTools = outputs.flatMap((output) => output.additionalTools ?? []);
  return {
    isError: outputs.every((output) => output.isError),
    content: outputs.flatMap((output) => output.content),
    ...(additionalTools.length === 0 ? {} : { additionalTools }),
  };
}
