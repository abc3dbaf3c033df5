import type { EventMessage } from '../protocol/events.js';
import type { ScreenModel } from './screen-model.js';

/** Of a session that goes on so much is shown again. */
const TURNS_SHOWN = 10;
const EVENTS_SHOWN = 300;

/** Shows the last turns of what was said and done before. */
export function replay(history: readonly EventMessage[], model: ScreenModel): void {
  const start = startOf(history);
  const earlier = history.slice(0, start).filter(({ type }) => type === 'user_message').length;
  if (earlier > 0) {
    const id = model.facts?.session_id.slice(0, 8) ?? '';
    model.notice('info', `${earlier} earlier ${earlier === 1 ? 'turn' : 'turns'}: coder show ${id}`);
  }
  for (const msg of history.slice(start)) model.handle({ msg });
  model.settle();
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
