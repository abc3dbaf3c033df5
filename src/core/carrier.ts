import type { ToolOutput } from './message.js';

/**
 * The calls and outputs of a round that a user interface was not shown, so that the next turn can replay them.
 * Versioned, because it is stored with other people's messages.
 */
export interface Carrier {
  readonly v: 1;
  readonly calls: readonly CarriedCall[];
}

export interface CarriedCall {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
  readonly output: ToolOutput;
}
