import type { Message, ToolOutput } from '../core/message.js';

/** Outputs of a conversation, wherever they stand, to be put right behind their calls. */
export interface OutputIndex {
  /** The output of this occurrence of a call, taken once. */
  take(callId: string, position: number): ToolOutput | undefined;
}

/**
 * Call ids should be unique, but histories of servers that restart at `call_0` exist: an output belongs to the nearest
 * call before it that bears its id.
 */
export function indexOutputs(messages: readonly Message[]): OutputIndex {
  const outputs = new Map<string, { position: number; output: ToolOutput }[]>();
  const calls = new Map<string, number[]>();
  walkContents(messages, (content, position) => {
    if (content.type === 'tool-call') push(calls, content.callId, position);
    if (content.type === 'tool-result') push(outputs, content.callId, { position, output: content.output });
  });
  return {
    take(callId, position) {
      const next = calls.get(callId)?.find((other) => other > position) ?? Number.POSITIVE_INFINITY;
      const candidates = outputs.get(callId) ?? [];
      const found = candidates.findIndex((entry) => entry.position > position && entry.position < next);
      return found < 0 ? undefined : candidates.splice(found, 1)[0]?.output;
    },
  };
}

/** Every content of assistant and tool messages with its position in the whole conversation. */
function walkContents(
  messages: readonly Message[],
  visit: (content: Extract<Message, { role: 'assistant' | 'tool' }>['content'][number], position: number) => void,
): void {
  let position = 0;
  for (const message of messages) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const content of message.content) {
      visit(content, position);
      position += 1;
    }
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
