import type { z } from 'zod';

/** What every tool of this application answers; `execute` never throws. */
export type ToolOutput = { readonly ok: true; readonly [field: string]: unknown } | ToolFailure;

export interface ToolFailure {
  readonly ok: false;
  /** A sentence for the model. */
  readonly error: string;
  readonly [field: string]: unknown;
}

/** One run of a tool. The session, the page and the model are found through the request's context. */
export interface ToolRun {
  readonly toolCallId: string;
  /** Fires at Stop, at a time limit, and when no one listens any more. */
  readonly signal: AbortSignal;
}

/**
 * Who has to agree to a call: no one, the person (`rule` is what "Always in this chat" would grant; none, where nothing
 * may be granted), or no one can.
 */
export type Verdict =
  | { readonly decision: 'run' }
  | { readonly decision: 'ask'; readonly reason: string; readonly rule?: string | undefined }
  | { readonly decision: 'refuse'; readonly reason: string };

export interface ToolDef<Input = unknown> {
  /** Its name for the model; the key in the table of tools is the same. */
  readonly id: string;
  readonly description: string;
  /** An object schema, or that of a plain value: such an input is wrapped as `{value}` on the wire. */
  readonly inputSchema: z.ZodType<Input>;
  /** Default: it runs without a question. */
  readonly judge?: (input: Input) => Verdict | Promise<Verdict>;
  readonly execute: (input: Input, run: ToolRun) => Promise<ToolOutput>;
}

/** Keeps the type of the input between schema, verdict and run, and forgets it in the table. */
export function defineTool<Input>(def: ToolDef<Input>): ToolDef {
  return def as ToolDef;
}
