import { z } from 'zod';
import { APPROVAL, MODE } from './settings.js';

export const DECISION = z.enum(['approved', 'approved_for_session', 'approved_always', 'denied', 'abort']);

const USER_INPUT = z.strictObject({
  type: z.literal('user_input'),
  text: z.string(),
  /** The model hears it before its next round, if a task runs; by default it waits for the end of the task. */
  steer: z.boolean().optional(),
  /** Files of images, by their paths: such a message is a task of its own. */
  images: z.array(z.string().min(1)).max(20).optional(),
  /** Resources of MCP servers: the same holds for them. */
  resources: z
    .array(z.strictObject({ server: z.string(), uri: z.string() }))
    .max(20)
    .optional(),
});
/** Takes back a submission that waits. */
const WITHDRAW = z.strictObject({ type: z.literal('withdraw'), submission_id: z.string() });
/** A command that the person runs; the model reads it with its output. */
const USER_COMMAND = z.strictObject({ type: z.literal('user_command'), command: z.string().min(1) });
const INTERRUPT = z.strictObject({ type: z.literal('interrupt') });
const EXEC_APPROVAL = z.strictObject({
  type: z.literal('exec_approval'),
  call_id: z.string(),
  decision: DECISION,
  /** What the model reads of a denial. */
  reason: z.string().optional(),
});
const SET_MODE = z.strictObject({
  type: z.literal('set_mode'),
  mode: MODE,
  /** When a person is asked from now on. Absent: as before. */
  approval: APPROVAL.optional(),
});
const PLAN_APPROVAL = z.strictObject({
  type: z.literal('plan_approval'),
  call_id: z.string(),
  decision: z.enum(['approved', 'rejected', 'abort']),
  /** The plan as the person has changed it. Absent: the plan of the model. */
  plan: z.string().min(1).optional(),
  /** When a person is asked while the plan is carried out. Absent: as before. */
  approval: APPROVAL.optional(),
  /** What the model reads of a rejection. */
  reason: z.string().optional(),
});
const RUN_COMMAND = z.strictObject({
  type: z.literal('run_command'),
  /** A command of the user or of the workspace. */
  name: z.string().min(1),
  arguments: z.string().optional(),
});
const ELICITATION_ANSWER = z.strictObject({
  type: z.literal('elicitation_answer'),
  question_id: z.string(),
  action: z.enum(['accept', 'decline', 'cancel']),
  /** Values of the fields, by their names. */
  content: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional(),
});
const COMPACT = z.strictObject({ type: z.literal('compact') });
const UNDO = z.strictObject({
  type: z.literal('undo'),
  /** All turns from this one on; by default the last one that changed files. */
  from_turn: z.int().min(1).optional(),
});
const SHUTDOWN = z.strictObject({ type: z.literal('shutdown') });

export const OP = z.discriminatedUnion('type', [
  USER_INPUT,
  USER_COMMAND,
  WITHDRAW,
  INTERRUPT,
  EXEC_APPROVAL,
  PLAN_APPROVAL,
  SET_MODE,
  RUN_COMMAND,
  ELICITATION_ANSWER,
  COMPACT,
  UNDO,
  SHUTDOWN,
]);

/** What goes into the engine. */
export const SUBMISSION = z.strictObject({ id: z.string().min(1), op: OP });

export type Decision = z.infer<typeof DECISION>;
export type Op = z.infer<typeof OP>;
export type Submission = z.infer<typeof SUBMISSION>;
export type ExecApproval = z.infer<typeof EXEC_APPROVAL>;
export type ElicitationAnswer = z.infer<typeof ELICITATION_ANSWER>;
export type PlanApproval = z.infer<typeof PLAN_APPROVAL>;
