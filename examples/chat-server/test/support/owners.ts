import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { makeTables } from 'responses-loop-example-shared/engine/database.js';
import { InstanceTables } from 'responses-loop-example-shared/engine/instance-tables.js';
import { Membership } from 'responses-loop-example-shared/engine/membership.js';
import { type Owners, openOwners } from 'responses-loop-example-shared/engine/owners.js';
import { poolOf } from 'responses-loop-example-shared/postgres.js';
import { errorAnswer } from '../../src/errors.js';
import { addOwnerGuard } from '../../src/owners/owner-guard.js';

export const APPLICATION = 'chat-test';

/** One instance among others: its signs of life and its chats, in this process. */
export interface Instance {
  readonly owners: Owners;
  readonly member: Membership;
  /** Gives no more signs of life: for the others it is dead once they have seen none for long enough. */
  fallSilent(): void;
  close(): Promise<void>;
}

export async function startInstance(database: string, address?: string): Promise<Instance> {
  const pool = poolOf({ connectionString: database, max: 4 });
  await makeTables(pool);
  const tables = new InstanceTables(pool, APPLICATION);
  const silence = { isSilent: false };
  const beat = tables.beat.bind(tables);
  tables.beat = (name) => (silence.isSilent ? new Promise(() => {}) : beat(name));
  const member = new Membership({
    tables,
    running: () => [],
    onStops: () => {},
    onClaimed: async () => {},
    onPruned: async () => {},
  });
  await member.open();
  const owners = openOwners({ pool, application: APPLICATION, member });
  if (address !== undefined) owners.listenAt(address);
  return {
    owners,
    member,
    fallSilent: () => void (silence.isSilent = true),
    close: async () => {
      await owners.close().catch(() => {});
      await member.close().catch(() => {});
      await pool.end();
    },
  };
}

export interface Listening {
  readonly url: string;
  close(): void;
}

/** Routes behind the guard of an instance. */
export async function listenAs(owners: Owners, addRoutes: (app: Hono) => void): Promise<Listening> {
  const app = new Hono();
  addOwnerGuard(app, owners);
  addRoutes(app);
  app.onError((error) => errorAnswer(error));
  const server = createAdaptorServer({ fetch: (request) => app.fetch(request) });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  owners.listenAt(url);
  return {
    url,
    close: () => {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}
