import type { JsonObject } from '../core/json.js';
import type { ScriptedEvent } from './scripted-event.js';

/** The events of one output item, in the three stretches that interleaved calls need apart. */
export interface ItemEvents {
  readonly opening: readonly ScriptedEvent[];
  readonly deltas: readonly ScriptedEvent[];
  readonly closing: readonly ScriptedEvent[];
  /** The finished item, as the final snapshot lists it. */
  readonly item: JsonObject;
}

/** Where an item stands in its response. */
export interface ItemPlace {
  readonly index: number;
  /** Makes ids unique over responses. */
  readonly suffix: string;
}

/** `response.output_item.added` or `.done`. */
export function itemEvent(what: 'added' | 'done', index: number, item: JsonObject): ScriptedEvent {
  return { type: `response.output_item.${what}`, output_index: index, item };
}
