import { invalidSettings } from '../errors/invalid-settings.js';

/** The keys of a setting, each once, in their order. */
export function readKeys(setting: string | readonly string[] | undefined): string[] {
  const keys = (typeof setting === 'string' ? setting.split(',') : (setting ?? [])).map((key) => key.trim());
  const present = keys.filter((key) => key !== '');
  present.forEach((key, index) => {
    if (key.includes(','))
      throw invalidSettings(
        `apiKey number ${index + 1} contains a comma: in an array every key is an entry of its own.`,
      );
    const problem = problemOfKey(key);
    if (problem !== undefined)
      throw invalidSettings(
        `apiKey number ${index + 1} ${problem}. Keys are separated by commas; check for a line break from copying.`,
      );
  });
  return [...new Set(present)];
}

/** Returns why `fetch` would refuse a key; its own error repeats the key. */
function problemOfKey(key: string): string | undefined {
  if (/\s/.test(key)) return 'contains white space';
  return /^[\x21-\x7e]*$/.test(key) ? undefined : 'contains a character that cannot be sent in a header';
}

/** Checks the result of an `apiKey` function: not every app checks types, and `process.env.KEY` may be undefined. */
export function checkKey(given: unknown): string {
  if (given === undefined || given === null) return '';
  if (typeof given !== 'string') throw invalidSettings('apiKey is a function whose result is not a string.');
  const key = given.trim();
  // Keys contain no comma, so this is a list, which would be sent whole.
  if (key.includes(','))
    throw invalidSettings('apiKey is a function whose result contains a comma: an apiKey function returns one key.');
  const problem = problemOfKey(key);
  if (problem !== undefined) throw invalidSettings(`apiKey is a function whose result ${problem}.`);
  return key;
}
