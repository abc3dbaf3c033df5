import type { AssistantContent } from '../../core/message.js';
import type { RoundState } from '../round-state.js';

export type WireObject = Readonly<Record<string, unknown>>;

/** What one item family does at each moment of an item's life. */
export interface ItemHandler<S> {
  /** `output_item.added`: the server announced the item; what stands in it may be a beginning or the whole. */
  added(slot: S, item: WireObject, state: RoundState): void;
  /** `output_item.done` or the final snapshot: the whole item; fills in what streaming missed. */
  done(slot: S, item: WireObject, state: RoundState): void;
  /** The round is over: close what is open. `complete`: the server said it finished everything. */
  close(slot: S, state: RoundState, complete: boolean): void;
  /** What the next request replays; `undefined` when there is nothing worth it. */
  content(slot: S): AssistantContent | undefined;
}

export type EventHandler = (event: WireObject, state: RoundState) => void;
export type EventTable = Readonly<Record<string, EventHandler>>;
