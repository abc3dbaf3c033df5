import type { RestateSettings } from 'responses-loop-example-shared/engine/restate-settings.js';
import type { Comparable, EngineOptions, TurnAttempt, TurnEngine } from 'responses-loop-example-shared/engine/types.js';
import { describeError } from '../driver/describe-error.js';
import { event } from '../driver/events.js';
import type { DriverStreamEvent } from '../types/events.js';
import type { AgentPersister } from '../types/persister.js';
import { type RunTurnParts, runTurn } from './run-turn.js';
import { releaseFromTurn } from './turn-claim.js';

export interface TurnEngineSettings extends RunTurnParts {
  /** `postgres://…` */
  readonly database: string;
  readonly engine: EngineChoice;
}

/** What runs the attempts at turns, and keeps their steps. */
export type EngineChoice = { readonly name: 'dbos' } | { readonly name: 'restate'; readonly settings: RestateSettings };

/** Turns of this program on an engine. Whoever does not ask for one loads nothing of it. */
export async function openTurnEngine({ database, engine, ...parts }: TurnEngineSettings): Promise<TurnEngine> {
  return open(engine, {
    ...{ database, compare, onWarning: parts.options.onWarning },
    application: 'agent',
    run: (attempt) => runTurn(parts, attempt),
    gone: (sessions) => deletedOf(parts.persister, sessions),
    rewound: (after) => event('rewind', { after }),
    failed: async (error, attempt) => {
      await endFailedTurn(parts, attempt);
      return [event('error', describeError(error)), event('message_stop', { stopReason: 'error' })];
    },
  });
}

async function open(engine: EngineChoice, options: EngineOptions): Promise<TurnEngine> {
  if (engine.name === 'dbos') {
    const { openDbosEngine } = await import('responses-loop-example-shared/engine/dbos-engine.js');
    return openDbosEngine(options);
  }
  const { openRestateEngine } = await import('responses-loop-example-shared/engine/restate-engine.js');
  return openRestateEngine(options, engine.settings);
}

async function deletedOf(persister: AgentPersister, sessions: readonly string[]): Promise<string[]> {
  const deleted: string[] = [];
  for (const id of sessions) if ((await persister.getSession(id)) === null) deleted.push(id);
  return deleted;
}

/** Its session is free again for edits. */
async function endFailedTurn({ persister, options }: RunTurnParts, attempt: TurnAttempt): Promise<void> {
  try {
    await releaseFromTurn(persister, attempt);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    options.onWarning?.(`Session ${attempt.stream} stays busy for edits until its next turn ends: ${why}`);
  }
}

/** What an event says, without its time; texts are the same however they are cut. */
function compare(given: unknown): Comparable | undefined {
  const said = given as DriverStreamEvent;
  const { type, data } = said;
  switch (type) {
    case 'rewind':
      return undefined;
    case 'text_delta':
    case 'thinking_delta':
      return { key: type, delta: { text: data.text, with: (text) => ({ ...said, data: { text } }) } };
    case 'input_json_delta':
      return {
        key: `${type} ${data.toolCallId}`,
        delta: { text: data.partialJson, with: (text) => ({ ...said, data: { ...data, partialJson: text } }) },
      };
    case 'tool_result':
      return { key: `${type} ${data.toolCallId}`, isUnordered: true };
    default:
      return { key: `${type} ${JSON.stringify(data)}` };
  }
}
