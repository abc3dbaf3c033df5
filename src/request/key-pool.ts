import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { errorText } from '../util/error-text.js';
import { shortHash } from '../util/hash.js';

/** One key, a comma list, an array, or a function that is asked for every call (tokens that expire). */
export type ApiKeySetting = string | readonly string[] | (() => string | PromiseLike<string>);

/** The key of one call. */
export interface PickedKey {
  /** Secret. `undefined`: no key is sent. */
  readonly key: string | undefined;
  /** Tells keys apart without giving them away. */
  readonly fingerprint: string;
}

export interface KeyPool {
  /**
   * Chooses a key: the one with the wanted fingerprint, so that a conversation with sealed reasoning keeps its key, else
   * the next in turn for this model.
   */
  pick(modelId: string, wantedFingerprint?: string): Promise<PickedKey>;
  /** Every key seen, to take them out of texts. */
  secrets(): readonly string[];
}

export function createKeyPool(setting: ApiKeySetting | undefined): KeyPool {
  return typeof setting === 'function' ? dynamicPool(setting) : rotatingPool(readKeys(setting));
}

/** A token changes from call to call, yet belongs to one account: all of them share a fingerprint. */
function dynamicPool(ask: () => string | PromiseLike<string>): KeyPool {
  const seen = new Set<string>();
  return {
    async pick() {
      // Not everybody has the function's type checked, and `process.env.KEY` may be undefined.
      const given: unknown = (await answerOf(ask)) ?? '';
      if (typeof given !== 'string') throw invalid('apiKey is a function whose result is not a string.');
      const key = given.trim();
      const problem = problemOf(key);
      if (problem !== undefined) throw invalid(`apiKey is a function whose result ${problem}.`);
      if (key === '') return { key: undefined, fingerprint: 'dynamic' };
      seen.add(key);
      return { key, fingerprint: 'dynamic' };
    },
    secrets: () => [...seen],
  };
}

async function answerOf(ask: () => string | PromiseLike<string>): Promise<string> {
  try {
    return await ask();
  } catch (cause) {
    const message = `The apiKey function failed: ${errorText(cause)}`;
    throw new ResponsesLoopError({ code: 'missing-api-key', message, cause });
  }
}

function rotatingPool(keys: readonly string[]): KeyPool {
  const turns = new Map<string, number>();
  const picked = keys.map((key): PickedKey => ({ key, fingerprint: shortHash(key) }));
  return {
    async pick(modelId, wantedFingerprint) {
      if (picked.length === 0) return { key: undefined, fingerprint: 'none' };
      const wanted = picked.find((entry) => entry.fingerprint === wantedFingerprint);
      if (wanted !== undefined) return wanted;
      const turn = turns.get(modelId) ?? 0;
      turns.set(modelId, turn + 1);
      return picked[turn % picked.length] ?? { key: undefined, fingerprint: 'none' };
    },
    secrets: () => keys,
  };
}

function readKeys(setting: string | readonly string[] | undefined): string[] {
  const keys = (typeof setting === 'string' ? setting.split(',') : (setting ?? [])).map((key) => key.trim());
  const present = keys.filter((key) => key !== '');
  present.forEach((key, index) => {
    const problem = problemOf(key);
    if (problem !== undefined)
      throw invalid(
        `apiKey number ${index + 1} ${problem}. Keys are separated by commas; check for a line break from copying.`,
      );
  });
  return [...new Set(present)];
}

/** What `fetch` would refuse, and repeat in its error. */
function problemOf(key: string): string | undefined {
  if (/\s/.test(key)) return 'contains white space';
  return /^[\x21-\x7e]*$/.test(key) ? undefined : 'contains a character that cannot be sent in a header';
}

/** Never with the key itself. */
function invalid(message: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'invalid-settings', message });
}
