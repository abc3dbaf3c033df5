import { EVENT_MESSAGE, type EventMessage } from '../protocol/events.js';
import type { Line } from './lines.js';

/** What was said and done, as the events that told of it; for people who look back. */
export function historyOf(lines: readonly Line[]): EventMessage[] {
  let turn = 0;
  return lines.flatMap((line) => {
    if (line.type === 'user') turn = line.turn;
    return eventsOf(line, turn);
  });
}

function eventsOf(line: Line, turn: number): EventMessage[] {
  switch (line.type) {
    case 'user':
      return [{ type: 'user_message', data: { text: line.text } }];
    case 'part':
      return line.part.type === 'text' || line.part.type === 'reasoning'
        ? [{ type: line.part.type === 'text' ? 'agent_message' : 'agent_reasoning', data: { text: line.part.text } }]
        : [];
    case 'event': {
      const { data } = EVENT_MESSAGE.safeParse(line.msg);
      // A session that goes on says itself what it is in now.
      return data === undefined || data.type === 'mode_changed' ? [] : [data];
    }
    case 'compacted':
      return [
        { type: 'compaction_complete', data: { before_tokens: 0, kept_turns: Math.max(0, turn - line.through_turn) } },
      ];
    case 'turn_end':
      return line.status === 'complete' ? [] : [{ type: 'turn_aborted', data: { reason: line.status } }];
    default:
      return [];
  }
}
