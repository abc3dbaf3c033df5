import type { CoderEvent, EventData, EventMessage, EventOf, EventType } from '../protocol/events.js';
import { LIMITS } from './limits.js';

interface Waiting {
  readonly id: string;
  readonly timestamp: string;
  msg: EventMessage;
}

/**
 * Events on their way to their one reader. They are numbered when they are handed out: until then pieces of one text, and
 * what one tool prints, are joined, so that a slow reader costs no more than what there is to say.
 */
export class EventQueue implements AsyncIterable<CoderEvent> {
  #waiting: Waiting[] = [];
  #wake: (() => void) | undefined;
  #isEnded = false;

  emit<Type extends EventType>(id: string, type: Type, data: EventData<Type>): void {
    if (this.#isEnded) return;
    const msg = { type, data } as EventMessage;
    const last = this.#waiting.at(-1);
    const joined = last?.id === id ? join(last.msg, msg) : undefined;
    if (last !== undefined && joined !== undefined) last.msg = joined;
    else this.#waiting.push({ id, timestamp: new Date().toISOString(), msg });
    this.#wake?.();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<CoderEvent> {
    for (let seq = 0; ;) {
      const batch = this.#waiting;
      this.#waiting = [];
      for (const { id, timestamp, msg } of batch) yield { id, seq: (seq += 1), timestamp, msg };
      if (this.#waiting.length > 0) continue;
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }
}

/** Two events as one, where they say no more than that. */
function join(last: EventMessage, next: EventMessage): EventMessage | undefined {
  if (last.type === 'agent_message_delta' && next.type === 'agent_message_delta') return joinTexts(last, next);
  if (last.type === 'agent_reasoning_delta' && next.type === 'agent_reasoning_delta') return joinTexts(last, next);
  if (last.type !== 'tool_execution_progress' || next.type !== 'tool_execution_progress') return undefined;
  return last.data.call_id === next.data.call_id ? joinProgress(last, next) : undefined;
}

function joinTexts<T extends EventOf<'agent_message_delta' | 'agent_reasoning_delta'>>(last: T, next: T): T {
  return { ...last, data: { text: last.data.text + next.data.text } };
}

function joinProgress(
  { data: last }: EventOf<'tool_execution_progress'>,
  { data: next }: EventOf<'tool_execution_progress'>,
): EventMessage {
  const output = `${last.output ?? ''}${next.output ?? ''}`;
  return {
    type: 'tool_execution_progress',
    data: { ...last, ...next, ...(output === '' ? {} : { output: output.slice(-LIMITS.waitingOutputChars) }) },
  };
}
