import { z } from 'zod';
import { type Summary, type Turn, withOutput } from '../engine/history.js';
import type { Past } from '../engine/session.js';
import { addUsage, NO_USAGE } from '../engine/usage.js';
import { USAGE } from '../protocol/events.js';
import { APPROVAL, MODE } from '../protocol/settings.js';
import type { FileChange, Line, LineOf } from './lines.js';

/** Where the line of a user's message was broken, and what was answered was not. */
const LOST_TEXT = '[This message could not be read any more.]';

/** What a session was, from its lines. Parts count also where their turn did not come to its end. */
export function pastOf(lines: readonly Line[]): Past {
  const turns = new Map<number, Turn>();
  const changes: FileChange[] = [];
  let summary: Summary | undefined;
  let [ended, counted] = [NO_USAGE, COUNTED_NOTHING];
  let left: Past['left'] = {};
  const turnOf = (number: number): Turn => {
    const turn = turns.get(number) ?? { number, text: LOST_TEXT, parts: [] };
    turns.set(number, turn);
    return turn;
  };
  for (const line of lines) {
    if (line.type === 'user') turns.set(line.turn, { ...turnOfLine(line), parts: [] });
    else if (line.type === 'own_output') turns.set(line.turn, withOutput(turnOf(line.turn), line.text));
    else if (line.type === 'part') turnOf(line.turn).parts.push(line.part);
    else if (line.type === 'file_change') changes.push(line);
    else if (line.type === 'compacted') summary = { throughTurn: line.through_turn, text: line.summary };
    else if (line.type === 'turn_end') ended = addUsage(ended, line.usage);
    else if (line.type === 'event') counted = countIn(line) ?? counted;
    left = { ...left, ...modeIn(line) };
  }
  // Summaries cost something, too, and are in no turn.
  const usage = counted.session.total > ended.total ? counted.session : ended;
  return {
    turns: [...turns.values()],
    changes,
    summary,
    usage,
    contextTokens: counted.rounds.at(-1)?.total ?? 0,
    left,
  };
}

function turnOfLine({ turn: number, text, mode, command, attached }: LineOf<'user'>): Omit<Turn, 'parts'> {
  return { number, text, mode, attached, ...(command === undefined ? {} : { own: { command } }) };
}

const MODE_CHANGED = z.object({ mode: MODE, approval: APPROVAL });

function modeIn(line: Line): Past['left'] {
  // A command of the person runs in any mode.
  if (line.type === 'user' && line.command === undefined) return { mode: line.mode ?? 'work' };
  const isChange = line.type === 'event' && line.msg.type === 'mode_changed';
  return (isChange ? MODE_CHANGED.safeParse(line.msg.data).data : undefined) ?? {};
}

const TOKEN_COUNT = z.object({ session: USAGE, rounds: z.array(USAGE) });
const COUNTED_NOTHING: z.infer<typeof TOKEN_COUNT> = { session: NO_USAGE, rounds: [] };

function countIn({ msg }: LineOf<'event'>): z.infer<typeof TOKEN_COUNT> | undefined {
  return msg.type === 'token_count' ? TOKEN_COUNT.safeParse(msg.data).data : undefined;
}
