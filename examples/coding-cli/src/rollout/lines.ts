import { z } from 'zod';
import { ATTACHMENT } from '../attach/attachment.js';
import { ABORT_REASON, USAGE } from '../protocol/events.js';
import { MODE } from '../protocol/settings.js';

const TURN = z.int().min(1);
const HASH = z.string().nullable();

/** What a part carries as provider metadata goes back to the provider with it. */
const METADATA = z.record(z.string(), z.unknown()).optional();

const CALL = { toolCallId: z.string(), toolName: z.string(), providerExecuted: z.boolean().optional() };

/** A whole part of an answer. */
export const PART = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), providerMetadata: METADATA }),
  z.object({ type: z.literal('reasoning'), text: z.string(), providerMetadata: METADATA }),
  z.object({
    type: z.literal('tool-call'),
    ...CALL,
    input: z.unknown(),
    invalid: z.boolean().optional(),
    providerMetadata: METADATA,
  }),
  z.object({
    type: z.literal('tool-result'),
    ...CALL,
    output: z.unknown(),
    isError: z.boolean().optional(),
    providerMetadata: METADATA,
  }),
]);

const SESSION_META = z.object({
  type: z.literal('session_meta'),
  version: z.literal(1),
  id: z.string(),
  created_at: z.string(),
  cwd: z.string(),
  model: z.string(),
  git: z.object({ branch: z.string().optional(), commit: z.string().optional() }).optional(),
});

const FILE_CHANGE = z.object({
  type: z.literal('file_change'),
  turn: TURN,
  path: z.string(),
  before: HASH,
  after: HASH,
});

/** One line of a rollout. */
export const LINE = z.discriminatedUnion('type', [
  SESSION_META,
  z.object({
    type: z.literal('user'),
    turn: TURN,
    text: z.string(),
    mode: MODE.optional(),
    /** A command that the person ran: no model answers. */
    command: z.string().optional(),
    attached: z.array(ATTACHMENT).optional(),
  }),
  z.object({ type: z.literal('own_output'), turn: TURN, text: z.string() }),
  z.object({ type: z.literal('part'), turn: TURN, part: PART }),
  z.object({
    type: z.literal('event'),
    turn: TURN,
    timestamp: z.string(),
    msg: z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) }),
  }),
  FILE_CHANGE,
  z.object({ type: z.literal('compacted'), through_turn: z.int().min(0), summary: z.string() }),
  z.object({
    type: z.literal('turn_end'),
    turn: TURN,
    status: z.enum(['complete', ...ABORT_REASON.options]),
    usage: USAGE,
  }),
]);

export type StoredPart = z.infer<typeof PART>;
export type Line = z.infer<typeof LINE>;
export type LineOf<Type extends Line['type']> = Extract<Line, { type: Type }>;
export type SessionMeta = z.infer<typeof SESSION_META>;
export type FileChange = z.infer<typeof FILE_CHANGE>;
