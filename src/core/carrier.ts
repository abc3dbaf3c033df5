import type { JsonObject } from './json.js';
import type { ToolCallContent, ToolOutput } from './message.js';

/**
 * What a user interface was not shown of a round, so that the next turn can replay it. It hangs on the first call of the
 * client's in the round, else on a text or an empty reasoning part, and says what stood before and after it. Versioned,
 * because it is stored with other people's messages.
 */
export interface Carrier {
  readonly v: 1;
  /** Ids of the client's calls that the model made before this part, although they were emitted behind it. */
  readonly behind?: readonly string[];
  /** Items before the part. */
  readonly before?: readonly JsonObject[];
  /** Calls before the part and behind those items; their outputs were not known yet. */
  readonly callsBefore?: readonly PlacedCall[];
  /** Items behind the part. */
  readonly after?: readonly JsonObject[];
  /** Calls behind those, each with its output. */
  readonly calls?: readonly CarriedCall[];
  /** Ids of all calls of the round in its order, on a call of the client's: `calls` stand where this says. */
  readonly order?: readonly string[];
  /** Outputs of the round's calls that stood before a text. */
  readonly outputs?: readonly CarriedOutput[];
  /** Ids of what the user was asked about before the client goes on; see `AskedContent`. */
  readonly asked?: readonly string[];
}

export type PlacedCall = Omit<CarriedCall, 'output'>;

export type CarriedOutput = Pick<CarriedCall, 'callId' | 'output'>;

export interface CarriedCall extends Pick<ToolCallContent, 'callId' | 'name' | 'arguments' | 'members' | 'inRound'> {
  readonly output: ToolOutput;
}
