import { ResponsesLoopError } from '../errors/responses-loop-error.js';
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
      const key = (await ask()).trim();
      if (key !== '') seen.add(key);
      return { key: key === '' ? undefined : key, fingerprint: 'dynamic' };
    },
    secrets: () => [...seen],
  };
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
  const bad = present.findIndex((key) => /\s/.test(key));
  if (bad >= 0) {
    throw new ResponsesLoopError({
      code: 'invalid-settings',
      message: `apiKey number ${bad + 1} contains white space. Keys are separated by commas; check for a line break from copying.`,
    });
  }
  return [...new Set(present)];
}
