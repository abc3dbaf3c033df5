import { z } from 'zod';

/** When a person is asked. */
export const APPROVAL = z.enum(['unless_trusted', 'on_request', 'on_failure', 'never']);

/** What tools may touch. */
export const SANDBOX = z.enum(['read_only', 'workspace_write', 'danger_full_access']);

/** What the model is there for now: `plan` lets it read and write a plan, `work` lets it do the work. */
export const MODE = z.enum(['work', 'plan']);

export type Mode = z.infer<typeof MODE>;
export type ApprovalMode = z.infer<typeof APPROVAL>;
export type SandboxMode = z.infer<typeof SANDBOX>;

/** How the terminal tells a person who looks elsewhere that an answer or a question waits. */
export const NOTIFY = z.enum(['off', 'bell', 'osc9', 'osc777']);

export type Notify = z.infer<typeof NOTIFY>;
