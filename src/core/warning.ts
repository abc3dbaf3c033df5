import type { HostedTool } from './tool.js';

/** A warning for the caller of a call that goes on: a sentence, or something that was not sent. */
export type CallWarning = string | Unsupported;

/** Something the caller asked for and that is not sent, by its name in the AI SDK. */
export interface Unsupported {
  readonly feature: string;
  /** The whole story as a sentence: what was left out, why, and what to do. */
  readonly details: string;
  /** The nearest that there is was sent instead. */
  readonly isReplaced?: true;
  /** The tool that it is about, where it is about one. */
  readonly tool?: Pick<HostedTool, 'id' | 'name' | 'args'>;
}

/** A warning for readers who take sentences only: logs, events, metadata. */
export function warningText(warning: CallWarning): string {
  return typeof warning === 'string' ? warning : warning.details;
}
