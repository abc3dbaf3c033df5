import { z } from 'zod';
import type { Summary, Turn } from '../engine/history.js';
import type { Past } from '../engine/session.js';
import { addUsage, NO_USAGE } from '../engine/usage.js';
import { USAGE } from '../protocol/events.js';
import type { FileChange, Line, LineOf } from './lines.js';

const ROUNDS = z.object({ rounds: z.array(USAGE) });

/** Where the line of a user's message was broken, and what was answered was not. */
const LOST_TEXT = '[This message could not be read any more.]';

/** What a session was, from its lines. Parts count also where their turn did not come to its end. */
export function pastOf(lines: readonly Line[]): Past {
  const turns = new Map<number, Turn>();
  const changes: FileChange[] = [];
  let summary: Summary | undefined;
  let usage = NO_USAGE;
  let contextTokens = 0;
  const turnOf = (number: number): Turn => {
    const turn = turns.get(number) ?? { number, text: LOST_TEXT, parts: [] };
    turns.set(number, turn);
    return turn;
  };
  for (const line of lines) {
    if (line.type === 'user') turns.set(line.turn, { number: line.turn, text: line.text, parts: [] });
    else if (line.type === 'part') turnOf(line.turn).parts.push(line.part);
    else if (line.type === 'file_change') changes.push(line);
    else if (line.type === 'compacted') summary = { throughTurn: line.through_turn, text: line.summary };
    else if (line.type === 'turn_end') usage = addUsage(usage, line.usage);
    else if (line.type === 'event') contextTokens = sizeIn(line) ?? contextTokens;
  }
  return { turns: [...turns.values()], changes, summary, usage, contextTokens };
}

function sizeIn({ msg }: LineOf<'event'>): number | undefined {
  return msg.type === 'token_count' ? ROUNDS.safeParse(msg.data).data?.rounds.at(-1)?.total : undefined;
}
