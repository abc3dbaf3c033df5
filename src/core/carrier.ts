import type { JsonObject } from './json.js';
import type { ToolCallContent, ToolOutput } from './message.js';

/**
 * The hidden part of a round, for replay in the next turn. Travels with the first call of the client's in the round, else
 * with its last text or an empty reasoning part. Versioned, because apps store it with their messages.
 */
export interface Carrier {
  readonly v: 2;
  /** The name of the round in the conversation. */
  readonly round?: string;
  readonly entries?: readonly CarriedEntry[];
  /** Ids of the calls and requests that the user still has to decide about; see `AskedContent`. */
  readonly asked?: readonly string[];
}

/** The number of a part in its round. */
export interface PartPlace {
  readonly round: string;
  readonly at: number;
}

/** An item, a text of the user, a hidden call with its output, or the place of a shown call. */
export type CarriedEntry = { readonly at: number } & (
  | { readonly item: JsonObject }
  | { readonly user: string; readonly item?: never; readonly output?: never }
  | (CarriedCall & { readonly item?: never })
  | { readonly callId: string; readonly item?: never; readonly output?: never }
);

export interface CarriedCall extends Pick<ToolCallContent, 'callId' | 'name' | 'arguments' | 'members' | 'inRound'> {
  readonly output: ToolOutput;
}
