import { sql } from 'drizzle-orm';
import { bigint, boolean, check, customType, pgSchema, text, unique } from 'drizzle-orm/pg-core';

import type { MessageMetadata, TokenUsage } from '../types/messages.js';
import type { SessionState } from '../types/session.js';

/** JSON as it was written: `jsonb` would change the order of keys, and takes no zero character. */
const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (written) => JSON.parse(written) as unknown,
});

/** Compared by the database's clock. */
const time = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
  toDriver: (iso) => iso,
  fromDriver: (written) => new Date(written).toISOString(),
});

const schema = pgSchema('agentx');

/** The tables as the migrations make them; a test compares the two. The names of members are those of SQLite's. */
export const sessions = schema.table('sessions', {
  id: text('id').primaryKey(),
  summary: text('summary'),
  createdAt: text('created_at').notNull(),
  lastActivity: text('last_activity').notNull(),
  cwd: text('cwd'),
  state: text('state').$type<SessionState>().notNull().default('created'),
  model: text('model'),
  usage: jsonText('usage').$type<TokenUsage>(),
  owner: text('owner'),
  heartbeat: time('heartbeat'),
});

export const messages = schema.table(
  'messages',
  {
    id: text('id').primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    type: text('type', { enum: ['user', 'agent', 'tool', 'system'] }).notNull(),
    content: text('content').notNull(),
    timestamp: text('timestamp').notNull(),
    isToolUse: boolean('is_tool_use'),
    toolName: text('tool_name'),
    toolInput: text('tool_input'),
    toolId: text('tool_id'),
    toolResult: text('tool_result'),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    turn: bigint('turn', { mode: 'number' }).notNull(),
    metadata: jsonText('metadata').$type<MessageMetadata>(),
  },
  (table) => [
    unique().on(table.sessionId, table.seq),
    check('type_is_known', sql`${table.type} IN ('user','agent','tool','system')`),
  ],
);
