import { type Message, outputText, type ToolOutput } from '../core/message.js';

/** Returns the output of a call that outlasts its turn. */
export function lateText(runId: string): string {
  return `This call is still running; its result comes in a later turn (${runId}).`;
}

/** A user interface may have kept it as JSON. */
const LATE = /^"?This call is still running; its result comes in a later turn \((run_[\da-f-]{36})\)\."?$/;

/** Returns the name of a run that outlasted its turn, from the output of its call. */
export function runIdIn(output: ToolOutput): string | undefined {
  const [first] = output.content;
  return first?.type === 'text' && first.text.length < 200 ? LATE.exec(outputText(output))?.[1] : undefined;
}

/** Returns the names of the runs that outlasted their turns, in the order of a history. */
export function lateRunsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant' || message.role === 'tool'
      ? message.content.flatMap((content) => (content.type === 'tool-result' ? (runIdIn(content.output) ?? []) : []))
      : [],
  );
}
