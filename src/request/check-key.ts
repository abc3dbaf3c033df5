import { invalidSettings } from '../errors/invalid-settings.js';
import { problemOfKey } from './read-keys.js';

/** What an `apiKey` function gave; not everybody has its type checked, and `process.env.KEY` may be undefined. */
export function checkKey(given: unknown): string {
  if (given === undefined || given === null) return '';
  if (typeof given !== 'string') throw invalidSettings('apiKey is a function whose result is not a string.');
  const key = given.trim();
  // No key holds one: it is the list that the setting itself may be, and would be sent whole.
  if (key.includes(','))
    throw invalidSettings('apiKey is a function whose result contains a comma: an apiKey function returns one key.');
  const problem = problemOfKey(key);
  if (problem !== undefined) throw invalidSettings(`apiKey is a function whose result ${problem}.`);
  return key;
}
