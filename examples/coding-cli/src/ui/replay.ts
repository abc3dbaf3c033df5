import type { EventMessage, EventType } from '../protocol/events.js';
import type { ScreenModel } from './screen-model.js';

/** Turns of a session that goes on which are shown again. */
const TURNS_SHOWN = 10;
const EVENTS_SHOWN = 300;
const SHOWN: ReadonlySet<EventType> = new Set([
  'user_message',
  'agent_message',
  'agent_reasoning',
  'tool_execution_begin',
  'tool_execution_end',
  'approval_decision',
  'compaction_complete',
  'turn_aborted',
]);

/**
 * Shows the last turns of what was said and done before.
 *
 * @returns what the person has said, all of it, oldest first.
 */
export function replay(history: readonly EventMessage[], model: ScreenModel): string[] {
  const said = history.flatMap(({ type, data }) => (type === 'user_message' ? [data.text] : []));
  const start = startOf(history);
  if (start > 0) {
    const turns = history.slice(0, start).filter(({ type }) => type === 'user_message').length;
    model.notice(
      'info',
      `${turns} earlier ${turns === 1 ? 'turn' : 'turns'}: coder show ${model.facts?.session_id.slice(0, 8) ?? ''}`,
    );
  }
  for (const msg of history.slice(start)) if (SHOWN.has(msg.type)) model.handle({ msg });
  model.settle();
  return said;
}

/** Where the last turns begin; a turn that is very long is cut. */
function startOf(history: readonly EventMessage[]): number {
  let turns = 0;
  for (let index = history.length - 1; index >= 0; index -= 1) {
    if (history.length - index > EVENTS_SHOWN) return index;
    if (history[index]?.type === 'user_message') turns += 1;
    if (turns === TURNS_SHOWN) return index;
  }
  return 0;
}
