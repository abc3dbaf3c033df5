import type { TurnEngine } from 'responses-loop-example-shared/engine/types.js';
import { describeError } from '../chat/describe-error.js';
import type { TurnKeeper } from '../chat/turn-keeper.js';
import type { SessionStore } from '../store/session-store.js';
import type { ChatChunk } from '../types.js';
import { EngineTurns, type EngineTurnsOptions } from './engine-turns.js';
import { rewound } from './rewound.js';

export interface ChatEngineOptions {
  /** `postgres://…` */
  readonly database: string;
  readonly onWarning: (message: string) => void;
}

export interface ChatEngine {
  readonly engine: TurnEngine;
  /** Once: from then on turns of instances that died may go on here. */
  readonly keeperOf: (parts: KeeperParts) => TurnKeeper;
}

export interface KeeperParts extends Omit<EngineTurnsOptions, 'engine'> {
  readonly secrets: readonly string[];
}

interface Attached {
  readonly keeper: EngineTurns;
  readonly parts: KeeperParts;
}

/** The name under which the engine keeps chats. */
export const APPLICATION = 'chat';

/** Turns of this program on DBOS. Whoever does not ask for it loads nothing of it. */
export async function openChatEngine({ database, onWarning }: ChatEngineOptions): Promise<ChatEngine> {
  const { openDbosEngine } = await import('responses-loop-example-shared/engine/dbos-engine.js');
  let attach: (attached: Attached) => void = () => {};
  const attached = new Promise<Attached>((resolve) => (attach = resolve));
  const engine = await openDbosEngine({
    ...{ database, onWarning, rewound, application: APPLICATION },
    run: async (attempt) => (await attached).keeper.attempt(attempt),
    gone: async (chats) => deletedOf((await attached).parts.sessions, chats),
    failed: async (error) => [errorChunk(error, (await attached).parts.secrets)],
  });
  return {
    engine,
    keeperOf: (parts) => {
      const keeper = new EngineTurns({ ...parts, engine });
      attach({ keeper, parts });
      return keeper;
    },
  };
}

function errorChunk(error: unknown, secrets: readonly string[]): ChatChunk {
  const { code, message } = describeError(error, secrets);
  return { type: 'error', errorText: message, ...{ code } };
}

async function deletedOf(sessions: SessionStore, chats: readonly string[]): Promise<string[]> {
  const deleted: string[] = [];
  for (const id of chats) if ((await sessions.find(id)) === undefined) deleted.push(id);
  return deleted;
}
