import { z } from 'zod';

export const DECISION = z.enum(['approved', 'approved_for_session', 'approved_always', 'denied', 'abort']);

const USER_INPUT = z.strictObject({ type: z.literal('user_input'), text: z.string() });
const INTERRUPT = z.strictObject({ type: z.literal('interrupt') });
const EXEC_APPROVAL = z.strictObject({
  type: z.literal('exec_approval'),
  call_id: z.string(),
  decision: DECISION,
  /** What the model reads of a denial. */
  reason: z.string().optional(),
});
const COMPACT = z.strictObject({ type: z.literal('compact') });
const UNDO = z.strictObject({ type: z.literal('undo') });
const SHUTDOWN = z.strictObject({ type: z.literal('shutdown') });

export const OP = z.discriminatedUnion('type', [USER_INPUT, INTERRUPT, EXEC_APPROVAL, COMPACT, UNDO, SHUTDOWN]);

/** What goes into the engine. */
export const SUBMISSION = z.strictObject({ id: z.string().min(1), op: OP });

export type Decision = z.infer<typeof DECISION>;
export type Op = z.infer<typeof OP>;
export type Submission = z.infer<typeof SUBMISSION>;
export type ExecApproval = z.infer<typeof EXEC_APPROVAL>;
