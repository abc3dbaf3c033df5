import { join } from 'node:path';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll } from 'vitest';
import { until } from './chat-client.js';
import type { ScriptedModel } from './scripted-model.js';
import { type ChatProcess, newFolder, startChat } from './start-chat.js';

/** What instances share. */
export interface Place {
  readonly baseURL: string;
  readonly database: string;
  readonly workspace: string;
  readonly args: readonly string[];
}

interface Databases {
  createDatabase(): string;
}

export function newPlace(postgres: Databases | undefined, model: ScriptedModel): Place {
  return {
    baseURL: model.baseURL,
    database: postgres?.createDatabase() ?? '',
    workspace: newFolder(),
    args: [],
  };
}

/** With a data folder of its own, as on a machine of its own. */
export function startInstance({ baseURL, database, workspace, args }: Place): Promise<ChatProcess> {
  const all = ['--engine', 'dbos', '--data', join(newFolder(), 'data'), ...args];
  return startChat({ baseURL, workspace, args: all, env: { CHAT_DATABASE: database } });
}

interface Closable {
  close(): Promise<void>;
}

/** The model and the database of the tests of a file; both end with them. Without a Postgres there is no database. */
export async function useModel<Model extends Closable>(start: () => Promise<Model>) {
  const postgres = await postgresForTests();
  const model = await start();
  afterAll(async () => {
    await model.close();
    await postgres?.stop();
  });
  return { postgres, model };
}

export async function startTwo(place: Place): Promise<readonly [ChatProcess, ChatProcess]> {
  return Promise.all([startInstance(place), startInstance(place)]);
}

/** Until the server that was asked first, and so has the chat, runs its turn. */
export async function isRunning(server: ChatProcess, session: string): Promise<void> {
  await until(
    async () => (await server.api('GET', `/api/sessions/${session}`)).json['running'],
    (running) => running === true,
  );
}
