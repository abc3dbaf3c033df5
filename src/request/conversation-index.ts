import type { Message, ToolOutput } from '../core/message.js';

/** Outputs of a conversation, wherever they stand, to be put right behind their calls. */
export interface OutputIndex {
  /** The output of the call at this position. */
  of(position: number): ToolOutput | undefined;
}

/**
 * Call ids should be unique, but histories of servers that restart at `call_0` exist: an output belongs to the nearest
 * call before it that bears its id.
 */
export function indexOutputs(messages: readonly Message[]): OutputIndex {
  /** By the position of the call. */
  const outputs = new Map<number, ToolOutput>();
  const latest = new Map<string, number>();
  walkContents(messages, (content, position) => {
    if (content.type === 'tool-call') latest.set(content.callId, position);
    const call = content.type === 'tool-result' ? latest.get(content.callId) : undefined;
    if (content.type === 'tool-result' && call !== undefined && !outputs.has(call)) outputs.set(call, content.output);
  });
  return { of: (position) => outputs.get(position) };
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
