import type { JsonObject } from '../core/json.js';

/** Whether a call with these options leaves something behind that a later request could meet. */
export function keepsState(options: JsonObject): boolean {
  const isGiven = (name: string): boolean => options[name] !== undefined && options[name] !== null;
  return options['store'] === true || isGiven('conversation') || isGiven('previousResponseId');
}
