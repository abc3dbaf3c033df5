import { sql } from 'drizzle-orm';
import { check, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core';

import type { MessageMetadata, TokenUsage } from '../types/messages.js';
import type { SessionState } from '../types/session.js';

/** The tables as the migrations make them; a test compares the two. */
export const sessions = sqliteTable('sessions', {
  id: text('id').primaryKey(),
  summary: text('summary'),
  createdAt: text('created_at').notNull(),
  lastActivity: text('last_activity').notNull(),
  cwd: text('cwd'),
  state: text('state').$type<SessionState>().notNull().default('created'),
  model: text('model'),
  usage: text('usage', { mode: 'json' }).$type<TokenUsage>(),
  owner: text('owner'),
  heartbeat: text('heartbeat'),
});

export const messages = sqliteTable(
  'messages',
  {
    id: text('id').primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    type: text('type', { enum: ['user', 'agent', 'tool', 'system'] }).notNull(),
    content: text('content').notNull(),
    timestamp: text('timestamp').notNull(),
    isToolUse: integer('is_tool_use', { mode: 'boolean' }),
    toolName: text('tool_name'),
    // JSON, written by hand: a result may be `null`, which is something else than none.
    toolInput: text('tool_input'),
    toolId: text('tool_id'),
    toolResult: text('tool_result'),
    seq: integer('seq').notNull(),
    turn: integer('turn').notNull(),
    metadata: text('metadata', { mode: 'json' }).$type<MessageMetadata>(),
  },
  (table) => [
    unique().on(table.sessionId, table.seq),
    check('type_is_known', sql`${table.type} IN ('user','agent','tool','system')`),
  ],
);
