import type { z } from 'zod';
import type { Verdict } from '../approval/verdict.js';
import type { WriteTarget } from './file-change.js';
import type { ShownFile } from './replace-file.js';

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
  /** Nobody was asked, now or by a grant: the tool's own judgement let it run. */
  readonly isUnasked?: boolean | undefined;
  /** The file that it may replace, as the person was shown it. Absent: nobody was asked. */
  readonly shown?: ShownFile | undefined;
}

/** A piece of what the model reads of an output. */
export type ModelContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image-data'; readonly data: string; readonly mediaType: string };

export interface ToolDef<Input = unknown> {
  /** Its name for the model; the key in the table of tools is the same. */
  readonly id: string;
  readonly description: string;
  /** Why it cannot be used on this machine: it is not offered then. */
  readonly missing?: string | undefined;
  /** An object schema, or that of a plain value: such an input is wrapped as `{value}` on the wire. */
  readonly inputSchema: z.ZodType<Input>;
  /** Who has to agree to the call. Default: it runs without a question. */
  readonly judge?: (input: Input) => Verdict | Promise<Verdict>;
  /** The file that it writes whole, which the person sees the change of. @throws Error for the model. */
  readonly target?: (input: Input) => WriteTarget | undefined;
  /** What it throws becomes a failure that the model reads. */
  readonly execute: (input: Input, run: ToolRun) => Promise<ToolOutput>;
  /** Of an output that the model reads in another form, in each request; `undefined`: as JSON. */
  readonly toModelOutput?: (output: ToolOutput) => Promise<readonly ModelContent[] | undefined>;
}

/** The type of the input is checked between schema, verdict and run, and forgotten in the table. */
export function defineTool<Input>(def: ToolDef<Input>): ToolDef {
  return def as ToolDef;
}
