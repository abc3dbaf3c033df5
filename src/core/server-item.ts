import type { JsonObject } from './json.js';

declare const checked: unique symbol;

/**
 * An item that a response held, kept so that it can be sent back as it came. Only what reads responses makes one, and the
 * door that posted histories pass: request building sends it without another look.
 */
export type ServerItem = JsonObject & { readonly [checked]: true };

/** Says that an item came from a response. `test/architecture` lists who may say so. */
export function serverItem(item: JsonObject): ServerItem {
  return item as ServerItem;
}
