import type { Turn } from '../engine/history.js';
import type { EventMessage } from '../protocol/events.js';
import type { StoredPart } from '../rollout/lines.js';
import type { ScreenModel } from './screen-model.js';

/** Of a session that goes on so much is shown again. */
const TURNS_SHOWN = 10;
const PARTS_SHOWN = 100;

/** Shows the last turns of what was said and done before. */
export function replay(turns: readonly Turn[], model: ScreenModel): void {
  const shown = turns.slice(-TURNS_SHOWN);
  const earlier = turns.length - shown.length;
  if (earlier > 0) {
    const id = model.facts?.session_id.slice(0, 8) ?? '';
    model.notice('info', `${earlier} earlier ${earlier === 1 ? 'turn' : 'turns'}: coder show ${id}`);
  }
  for (const turn of shown) for (const msg of eventsOf(turn)) model.handle({ msg });
  model.settle();
}

function eventsOf({ text, parts }: Turn): EventMessage[] {
  const titles = new Map(
    parts.flatMap((part) => (part.type === 'tool-call' ? [[part.toolCallId, titleOf(part)]] : [])),
  );
  const events = parts.slice(-PARTS_SHOWN).flatMap((part) => eventOf(part, titles));
  return [{ type: 'user_message', data: { text } }, ...events];
}

function eventOf(part: StoredPart, titles: ReadonlyMap<string, string>): EventMessage[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'agent_message', data: { text: part.text } }];
    case 'reasoning':
      return [{ type: 'agent_reasoning', data: { text: part.text } }];
    case 'tool-call':
      return [];
    case 'tool-result': {
      const { toolCallId: id, toolName, output, isError = false } = part;
      const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
      const title = titles.get(id) ?? toolName;
      const facts = { call_id: id, tool_name: toolName, title, duration_ms: 0 };
      const begin = { ...facts, source: '', arguments: {} };
      const end = { ...facts, success: !isError, ...(isError ? { error: text } : { result: text }) };
      return [
        { type: 'tool_execution_begin', data: begin },
        { type: 'tool_execution_end', data: end },
      ];
    }
  }
}

/** The name, and what it was about. */
function titleOf({ toolName, input }: Extract<StoredPart, { type: 'tool-call' }>): string {
  const first = Object.values(typeof input === 'object' && input !== null ? input : {}).find(
    (value) => typeof value === 'string',
  );
  return first === undefined ? toolName : `${toolName} ${first}`;
}
