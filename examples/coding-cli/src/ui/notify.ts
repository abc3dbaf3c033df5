import type { EventMessage } from '../protocol/events.js';
import type { Notify } from '../protocol/settings.js';

/** Words of our own: no text of a model or a tool gets into these sequences. */
const REASONS: Partial<Record<EventMessage['type'], string>> = {
  exec_approval_request: 'coder has a question',
  plan_approval_request: 'coder has a plan',
  task_complete: 'coder has answered',
};

/** Returns what is written to the terminal for an event; `undefined`: nothing. */
export function notification(how: Notify, { type }: EventMessage): string | undefined {
  const words = REASONS[type];
  if (words === undefined || how === 'off') return undefined;
  if (how === 'bell') return '\u0007';
  return how === 'osc9' ? `\u001B]9;${words}\u0007` : `\u001B]777;notify;coder;${words}\u0007`;
}
