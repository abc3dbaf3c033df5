import type { DriverStreamEvent, EventUsage, NumberedEvent, Turn } from '../types/index.js';
import { HttpError } from './errors.js';

interface CollectedCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly result?: unknown;
  readonly isError?: boolean;
}

/** A whole turn in one object. */
export interface CollectedTurn {
  readonly text: string;
  readonly toolCalls: readonly CollectedCall[];
  readonly usage: EventUsage;
  readonly stopReason: string;
  /** The answer, if its message had a schema. */
  readonly output?: unknown;
}

const NO_USAGE: EventUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

/** Waits for the end of a turn. @throws HttpError `model_error`, if the model or the way to it failed. */
export async function collect(turn: Turn): Promise<CollectedTurn> {
  const events = await eventsOf(turn);
  const calls = new Map<string, CollectedCall>();
  let output: { readonly output?: unknown } = {};
  let [text, stopReason, usage] = ['', 'other', NO_USAGE];
  for (const { type, data } of events) {
    if (type === 'text_delta') text += data.text;
    else if (type === 'tool_use_stop') calls.set(data.toolCallId, data);
    else if (type === 'tool_result') {
      const { toolCallId, ...result } = data;
      const call = calls.get(toolCallId);
      if (call !== undefined) calls.set(toolCallId, { ...call, ...result });
    } else if (type === 'message_delta') usage = data.usage;
    else if (type === 'output') output = { output: data.value };
    else if (type === 'message_stop') stopReason = data.stopReason;
    else if (type === 'interrupted') stopReason = data.reason === 'timeout' ? 'timeout' : 'interrupted';
    else if (type === 'error') throw new HttpError(502, 'model_error', data.message);
  }
  return { text, toolCalls: [...calls.values()], usage, stopReason, ...output };
}

/** All events that hold at the end: a turn that moved to another instance may have replaced some. */
async function eventsOf(turn: Turn): Promise<readonly DriverStreamEvent[]> {
  if (turn.after === undefined) {
    const events: DriverStreamEvent[] = [];
    for await (const event of turn) events.push(event);
    return events;
  }
  let numbered: NumberedEvent[] = [];
  for await (const one of turn.after(0)) {
    const { event } = one;
    if (event.type === 'rewind') numbered = numbered.filter(({ id }) => id <= event.data.after);
    else numbered.push(one);
  }
  return numbered.map(({ event }) => event);
}
