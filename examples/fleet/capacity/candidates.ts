import { AgentClient, textOf } from '../agent-client.js';
import { startAgentInstance } from '../agent-instance.js';
import { ChatClient } from '../chat-client.js';
import { startChatInstance } from '../chat-instance.js';
import type { Instance } from '../instance.js';
import type { Place } from '../target.js';

/** There is no other instance that a client could ask. */
const PATIENCE_MS = 300_000;

/** A server, and where it keeps what it is told. */
export interface Candidate {
  readonly server: 'agent-runtime' | 'chat-server';
  readonly keeps: 'files' | 'Postgres' | 'Postgres, engine';
  start(place: Place): Promise<Instance>;
  /** One turn of a conversation of its own; its text. */
  take(url: string, message: string): Promise<string>;
}

const KEEPING = {
  files: () => [],
  Postgres: ({ database }: Place) => ['--database', database],
  'Postgres, engine': ({ database }: Place) => ['--database', database, '--engine', 'dbos'],
} satisfies Record<Candidate['keeps'], (place: Place) => string[]>;

const SERVERS: readonly (Pick<Candidate, 'server' | 'take'> & { readonly kinds: readonly Candidate['keeps'][] })[] = [
  {
    server: 'agent-runtime',
    kinds: ['files', 'Postgres', 'Postgres, engine'],
    take: async (url, content) => {
      const client = new AgentClient(() => [url], PATIENCE_MS);
      const session = await client.newSession();
      return textOf((await client.turn(session, 'messages', { content })).events);
    },
  },
  {
    server: 'chat-server',
    kinds: ['files', 'Postgres', 'Postgres, engine'],
    take: async (url, text) => (await new ChatClient(() => [url], 'number', PATIENCE_MS).say('first', text, null)).text,
  },
];

const START = { 'agent-runtime': startAgentInstance, 'chat-server': startChatInstance };

export const CANDIDATES: readonly Candidate[] = SERVERS.flatMap(({ server, kinds, take }) =>
  kinds.map((keeps) => ({
    ...{ server, keeps, take },
    start: (place: Place) => START[server](place, 'instance', KEEPING[keeps](place)),
  })),
);
