import type { EventData } from '../protocol/events.js';
import type { ToldCall } from '../tools/own-views.js';

export interface RunningTool {
  readonly callId: string;
  readonly name: string;
  readonly title: string;
  readonly call: ToldCall;
  readonly startedAt: number;
  /** The end of what it has printed, as it came. */
  output: string;
  progress?: string;
}

/** A call whose output is not shown in full. */
export interface FoldedCall {
  readonly callId: string;
  readonly title: string;
  /** Output as far as it is known. */
  readonly text: string;
}

/** The plan that a question is about; `undefined`: it is about something else. */
export function planOf({ source, tool_name: tool, arguments: args }: Question): string | undefined {
  if (source !== 'local' || tool !== PLAN_TOOL) return undefined;
  const { plan } = typeof args === 'object' && args !== null ? (args as Readonly<Record<string, unknown>>) : {};
  return typeof plan === 'string' ? plan : '';
}

/** Its calls are answered as plans. */
export const PLAN_TOOL = 'present_plan';

export type Question = EventData<'exec_approval_request'>;
export type Decision = EventData<'approval_decision'>;
