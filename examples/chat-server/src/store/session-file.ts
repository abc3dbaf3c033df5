import { z } from 'zod';
import { type AgentFile, NO_USAGE, type SessionFile } from '../types.js';
import { isId } from './ids.js';

const id = z.string().refine(isId);
const count = z.number().nonnegative();
const time = z.iso.datetime();
const USAGE = z.object({ input: count, output: count, cached: count, reasoning: count, rounds: count });

const GRANT = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tool'), tool: z.string() }),
  z.strictObject({ kind: z.literal('mcp'), server: z.string(), tool: z.string() }),
  z.strictObject({ kind: z.literal('web'), host: z.string() }),
  z.strictObject({ kind: z.literal('browser'), origin: z.string() }),
  z.strictObject({ kind: z.literal('command'), rule: z.string() }),
]);

export const SWITCHED_OFF = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tool'), tool: z.string().min(1).max(200) }),
  z.strictObject({ kind: z.literal('mcp'), server: z.string().min(1).max(200), tool: z.string().min(1).max(200) }),
  z.strictObject({ kind: z.literal('server'), server: z.string().min(1).max(200) }),
]);

const SESSION = z.object({
  version: z.literal(1),
  id,
  title: z.string(),
  createdAt: time,
  updatedAt: time,
  leafId: id.nullable(),
  isPinned: z.boolean().optional(),
  isArchived: z.boolean().optional(),
  instructions: z.string().default(''),
  grants: z.array(GRANT).default([]),
  off: z.array(SWITCHED_OFF).optional(),
  usage: USAGE.default(NO_USAGE),
});

const words = z.string();

const AGENT = z.object({
  version: z.literal(1),
  id,
  title: z.string(),
  agentType: z.string(),
  task: z.string(),
  state: z.enum(['running', 'waiting', 'done', 'failed', 'aborted', 'interrupted']),
  parent: z.object({ messageId: id, toolCallId: words, agentId: id.optional() }).optional(),
  summary: words.optional(),
  steps: count.optional(),
  asked: z.array(z.object({ id: words, approvalId: words, seal: words })).optional(),
  createdAt: time,
  updatedAt: time,
});

export type FoundFile<T> =
  | { readonly is: 'there'; readonly file: T }
  | { readonly is: 'missing' }
  | { readonly is: 'broken'; readonly why: string };

/** The file names the folder it is for: one that was copied into another says so. */
export function readSessionFile(content: Uint8Array | undefined, sessionId: string): FoundFile<SessionFile> {
  return readAs<SessionFile>(content, SESSION, sessionId);
}

export function readAgentFile(content: Uint8Array | undefined, agentId: string): FoundFile<AgentFile> {
  return readAs<AgentFile>(content, AGENT, agentId);
}

function readAs<T extends { readonly id: string }>(
  content: Uint8Array | undefined,
  schema: z.ZodType<T>,
  wanted: string,
): FoundFile<T> {
  if (content === undefined) return { is: 'missing' };
  try {
    const { success, data, error } = schema.safeParse(JSON.parse(new TextDecoder().decode(content)));
    if (!success) return { is: 'broken', why: error.issues[0]?.message ?? 'it has another form' };
    return data.id === wanted ? { is: 'there', file: data } : { is: 'broken', why: `it is of "${data.id}"` };
  } catch {
    return { is: 'broken', why: 'it is not JSON' };
  }
}
