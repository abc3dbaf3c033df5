import type { NewTurn, TurnAttempt, TurnEngine } from 'responses-loop-example-shared/engine/types.js';
import { describe, expect, it } from 'vitest';
import type { TurnDraft } from '../../src/chat/orchestrator.js';
import { RunningTurns } from '../../src/chat/running-turns.js';
import { EngineTurns, type EngineTurnsOptions } from '../../src/engine/engine-turns.js';

const never = (): Promise<never> => new Promise(() => {});

/** The chat was deleted meanwhile, so a turn that is taken over ends at once. */
function rig() {
  const turns = new RunningTurns(60_000);
  const [ran, ids]: [string[], string[]] = [[], []];
  const engine = {
    start: async (turn: NewTurn) => {
      ids.push(turn.id);
      return { ...turn, before: 0 };
    },
    latest: async () => undefined,
  } as unknown as TurnEngine;
  const options = {
    ...{ engine, turns, claim: async () => true },
    sessions: { find: async () => undefined },
    orchestrator: { run: async () => void ran.push('again') },
  } as unknown as EngineTurnsOptions;
  const keeper = new EngineTurns(options);
  return { turns, keeper, ran, ids };
}

function attempt(id: string, held: () => Promise<void> = async () => {}): TurnAttempt {
  const input = { messageId: 'm', parentMessageId: null, choice: {} };
  return {
    id,
    stream: 's',
    input,
    held,
    over: never(),
    signal: new AbortController().signal,
  } as unknown as TurnAttempt;
}

const draft = { path: [], chatModel: { id: 'x', source: 'loop' } } as unknown as TurnDraft;

describe('a turn of an engine', () => {
  it('that was lost before its attempt began is taken over, also by the instance that lost it', async () => {
    const { turns, keeper, ran, ids } = rig();
    const turn = turns.begin('s');
    await keeper.checkFree(turn);
    const running = keeper.run(turn, draft);
    turn.lose();
    await expect(running).rejects.toThrow('This instance takes no turns now');
    await keeper.attempt(attempt(ids[0] ?? ''));
    expect([ran, turns.size]).toEqual([[], 0]);
  });

  it('is not begun by an attempt that was lost while it waited for the chat', async () => {
    const { turns, keeper } = rig();
    let asked = 0;
    const held = (): Promise<void> => ((asked += 1) === 1 ? Promise.resolve() : never());
    void keeper.attempt(attempt('turn_old', held));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([asked, turns.size]).toEqual([2, 0]);
  });
});
