import { isJsonObject, type JsonObject } from './json.js';

/** Calls of which the item itself says whether the server runs them, by its type. */
const SAYS_SO: ReadonlyMap<string, (item: JsonObject) => boolean> = new Map<string, (item: JsonObject) => boolean>([
  // Anything but the caller's own machine: containers, and what else may come.
  ['shell_call', ({ environment }) => isJsonObject(environment) && (environment['type'] ?? 'local') !== 'local'],
  // Searches of the client say so.
  ['tool_search_call', ({ execution }) => execution !== 'client'],
  ['program', () => true],
]);

/** Whether the server runs a call. Where its item does not say so, an output in the response does. */
export function isServersCall(itemType: string, item: JsonObject): boolean {
  return SAYS_SO.get(itemType)?.(item) === true;
}
