import { invalidSettings } from '../errors/invalid-settings.js';
import { defined } from '../util/defined.js';
import { isRecord } from '../util/guards.js';

/** When the stock provider answers a call that the primary failed. */
export interface FallOver {
  /** Failures in a row after which the stock provider is asked at once. @default 3 */
  readonly failures?: number | undefined;
  /** Milliseconds without the primary; then one call tries it again. @default 30,000 */
  readonly restMs?: number | undefined;
  /**
   * Chooses the failures. Failures of the call itself, such as an abort or a prompt that cannot be sent, never count,
   * and this function is not called for them.
   * @default all
   */
  readonly when?: ((error: Error) => boolean) | undefined;
}

export interface FallOverRules {
  readonly failures: number;
  readonly restMs: number;
  readonly when: (error: Error) => boolean;
}

const DEFAULTS: FallOverRules = { failures: 3, restMs: 30_000, when: () => true };

/** Returns `undefined` if failures of the primary are not answered. */
export function readFallOver(setting: boolean | FallOver | undefined): FallOverRules | undefined {
  if (setting === undefined || setting === false) return undefined;
  if (setting === true) return DEFAULTS;
  const given: unknown = setting;
  if (!isRecord(given)) throw invalidSettings('fallOver must be true, false or { failures, restMs, when }.');
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof FallOverRules] : undefined;
    if (check === undefined)
      throw invalidSettings(`fallOver has no member "${name}"; known are ${Object.keys(CHECKS).join(', ')}.`);
    if (value !== undefined && !check.isRight(value))
      throw invalidSettings(`fallOver.${name} must be ${check.what}, not ${JSON.stringify(value) ?? typeof value}.`);
  }
  return { ...DEFAULTS, ...defined(setting) };
}

interface Check {
  readonly what: string;
  readonly isRight: (value: unknown) => boolean;
}

const CHECKS: { readonly [K in keyof FallOverRules]: Check } = {
  failures: { what: 'a whole number of at least 1', isRight: (value) => Number.isInteger(value) && Number(value) >= 1 },
  restMs: { what: 'a number of milliseconds', isRight: (value) => typeof value === 'number' && value >= 0 },
  when: { what: 'a function of the error', isRight: (value) => typeof value === 'function' },
};
