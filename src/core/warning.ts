import type { HostedTool } from './tool.js';

/** A warning about a call that continues: a sentence, or a part that was not sent. */
export type CallWarning = string | Unsupported;

/** A requested feature that is not sent, by its name in the AI SDK. */
export interface Unsupported {
  readonly feature: string;
  /** A full sentence: what was omitted, why, and what to do. */
  readonly details: string;
  /** The nearest alternative was sent instead. */
  readonly isReplaced?: true;
  /** The affected tool, if any. */
  readonly tool?: Pick<HostedTool, 'id' | 'name' | 'args'>;
}

/** Returns a warning as a sentence, for logs, events and metadata. */
export function warningText(warning: CallWarning): string {
  return typeof warning === 'string' ? warning : warning.details;
}
