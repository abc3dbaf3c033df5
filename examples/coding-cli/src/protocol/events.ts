import { z } from 'zod';
import { APPROVAL, MODE, SANDBOX } from './settings.js';
import { DECISION } from './submissions.js';

const COUNT = z.int().min(0);

export const ERROR_CODE = z.enum([
  'model_error',
  'connection_failed',
  'timeout',
  'max_turns',
  'bad_submission',
  'session_locked',
  'rollout_write_failed',
  'context_too_long',
]);

export const ABORT_REASON = z.enum(['user', 'max_turns', 'error', 'shutdown']);

export const TODO_ITEM = z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) });

/** Tokens, as servers count them. */
export const USAGE = z.object({
  input: COUNT,
  output: COUNT,
  cached_input: COUNT,
  reasoning: COUNT,
  total: COUNT,
});

/** A difference as data. `diff` says the same in the form that programs know. */
const HUNKS = z.array(
  z.array(
    z.object({
      kind: z.enum(['same', 'added', 'removed']),
      text: z.string(),
      /** Numbers of the line in the old and in the new file, from 1. */
      before: COUNT.optional(),
      after: COUNT.optional(),
      /** The last line of a file, without a line end. */
      isOpen: z.boolean().optional(),
    }),
  ),
);

/** Whose hunks they are: those of each file follow those of the file before it. */
const FILES = z.array(
  z.object({ path: z.string(), fate: z.enum(['added', 'changed', 'deleted']), /** How many. */ hunks: COUNT }),
);

const problem = <Code extends z.ZodType>(code: Code) =>
  z.object({ code, message: z.string(), retryable: z.boolean().optional() });

/** What each type of event says; a new type is a new row. */
const DATA = {
  session_configured: z.object({
    session_id: z.string(),
    cwd: z.string(),
    model: z.string(),
    provider: z.string(),
    approval: APPROVAL,
    mode: MODE,
    sandbox: SANDBOX,
    /** What commands run in, in words; `off` and why. */
    isolation: z.string(),
    tools: z.array(z.string()),
    resumed: z.boolean(),
    rollout_path: z.string(),
  }),
  task_started: z.object({}),
  user_message: z.object({
    text: z.string(),
    /** It came while the task ran: the model reads it before its next round. */
    steered: z.boolean().optional(),
  }),
  /** A submission that waited was taken back. */
  input_withdrawn: z.object({ submission_id: z.string(), text: z.string() }),
  agent_message_delta: z.object({ text: z.string() }),
  agent_reasoning_delta: z.object({ text: z.string() }),
  agent_message: z.object({ text: z.string() }),
  agent_reasoning: z.object({ text: z.string() }),
  tool_execution_begin: z.object({
    call_id: z.string(),
    tool_name: z.string(),
    source: z.string(),
    arguments: z.unknown(),
    /** In a few words; `shown` is the call whole, as text, with all that cannot be seen spelled. */
    title: z.string(),
    shown: z.string().optional(),
  }),
  tool_execution_progress: z.object({
    call_id: z.string(),
    output: z.string().optional(),
    progress: z.number().optional(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
  tool_execution_end: z.object({
    call_id: z.string(),
    success: z.boolean(),
    result: z.string().optional(),
    error: z.string().optional(),
    title: z.string(),
    duration_ms: z.number(),
    exit_code: z.int().optional(),
    diff: z.string().optional(),
    hunks: HUNKS.optional(),
    files: FILES.optional(),
    truncated: z.boolean().optional(),
  }),
  exec_approval_request: z.object({
    call_id: z.string(),
    tool_name: z.string(),
    command: z.string().optional(),
    arguments: z.unknown(),
    cwd: z.string(),
    reason: z.string(),
    class: z.enum(['safe', 'ask', 'danger', 'forbidden']),
    rule: z.string().optional(),
    diff: z.string().optional(),
    hunks: HUNKS.optional(),
    files: FILES.optional(),
    /** `local`, or the key of the MCP server. */
    source: z.string().optional(),
    /** All that a person answers to, as text: nothing is cut, and what cannot be seen is spelled. */
    question: z.string().optional(),
  }),
  approval_decision: z.object({
    call_id: z.string(),
    decision: DECISION,
    by: z.enum(['policy', 'rule', 'user', 'timeout']),
    /** A call that was denied without a question is named nowhere else. */
    tool_name: z.string().optional(),
    reason: z.string().optional(),
  }),
  /** From now on. */
  mode_changed: z.object({ mode: MODE, approval: APPROVAL, by: z.enum(['user', 'plan']) }),
  plan_approval_request: z.object({ call_id: z.string(), plan: z.string() }),
  plan_decision: z.object({
    call_id: z.string(),
    decision: z.enum(['approved', 'rejected']),
    by: z.enum(['user', 'timeout', 'policy']),
    /** As it is carried out, where the person has changed it. */
    plan: z.string().optional(),
    reason: z.string().optional(),
  }),
  /** Web pages that the answer is based on, as the server named them. */
  sources: z.object({ sources: z.array(z.object({ url: z.string(), title: z.string().optional() })) }),
  todo_update: z.object({ todos: z.array(TODO_ITEM) }),
  /** A request to the model is over, and the task goes on: what it cost, and what the task and the session have cost by now. */
  round_usage: z.object({
    round: USAGE,
    turn: USAGE,
    session: USAGE,
    /** Of a sub-agent: its tokens are not in the conversation. */
    is_aside: z.boolean(),
  }),
  token_count: USAGE.extend({ rounds: z.array(USAGE), session: USAGE }),
  mcp_status: z.object({
    server: z.string(),
    state: z.enum(['ready', 'failed']),
    tools: COUNT.optional(),
    message: z.string().optional(),
  }),
  /** An MCP server asks the person something. */
  elicitation_request: z.object({
    question_id: z.string(),
    server: z.string(),
    message: z.string(),
    mode: z.enum(['form', 'url']),
    /** Fields to fill in, as a flat JSON schema. */
    requested_schema: z.unknown(),
    /** A page to open in a browser. */
    url: z.string().optional(),
  }),
  elicitation_decision: z.object({
    question_id: z.string(),
    action: z.enum(['accept', 'decline', 'cancel']),
    /** `call`: nobody waits for the answer any more. */
    by: z.enum(['user', 'timeout', 'call']),
  }),
  /** The conversation is being made shorter: because it was asked for, or because the model takes no more. */
  compaction_started: z.object({ tokens: COUNT, by: z.enum(['user', 'limit']) }),
  compaction_complete: z.object({ before_tokens: COUNT, kept_turns: COUNT }),
  warning: problem(z.string()),
  error: problem(ERROR_CODE),
  turn_aborted: z.object({ reason: ABORT_REASON }),
  task_complete: z.object({
    last_agent_message: z.string(),
    /** Calls that did not run because policy or a person said no. */
    denials: COUNT,
  }),
  shutdown_complete: z.object({}),
} as const;

export type EventType = keyof typeof DATA;
export type EventData<Type extends EventType> = z.infer<(typeof DATA)[Type]>;
export type EventMessage = { [Type in EventType]: { type: Type; data: EventData<Type> } }[EventType];
export type EventOf<Type extends EventType> = Extract<EventMessage, { type: Type }>;

const MESSAGES = Object.entries(DATA).map(([type, data]) => z.object({ type: z.literal(type), data }));

export const EVENT_MESSAGE = z.discriminatedUnion(
  'type',
  MESSAGES as unknown as [(typeof MESSAGES)[number], ...typeof MESSAGES],
) as unknown as z.ZodType<EventMessage>;

/** What comes out of the engine. An event that answers a submission carries its id, all others that of the task. */
export const CODER_EVENT = z.object({
  /** Empty where an event belongs to no submission, such as the first one. */
  id: z.string(),
  /** From 1, without a gap. */
  seq: z.int().min(1),
  timestamp: z.iso.datetime(),
  msg: EVENT_MESSAGE,
});

export interface CoderEvent {
  readonly id: string;
  readonly seq: number;
  readonly timestamp: string;
  readonly msg: EventMessage;
}

export type AbortReason = z.infer<typeof ABORT_REASON>;
export type ErrorCode = z.infer<typeof ERROR_CODE>;
export type Usage = z.infer<typeof USAGE>;
export type Todo = z.infer<typeof TODO_ITEM>;
