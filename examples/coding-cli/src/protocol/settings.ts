import { z } from 'zod';

/** When a person is asked. */
export const APPROVAL = z.enum(['unless_trusted', 'on_request', 'on_failure', 'never']);

/** What tools may touch. */
export const SANDBOX = z.enum(['read_only', 'workspace_write', 'danger_full_access']);

export type ApprovalMode = z.infer<typeof APPROVAL>;
export type SandboxMode = z.infer<typeof SANDBOX>;
