import { invalidSettings } from '../errors/invalid-settings.js';

/**
 * Whether the stock provider answers, asked for every call. Left out: it does where the environment says
 * `RESPONSES_LOOP=off`.
 */
export type UseStock = boolean | ((call: { readonly modelId: string }) => boolean | PromiseLike<boolean>);

export function checkFlag(useStock: unknown): void {
  if (['undefined', 'boolean', 'function'].includes(typeof useStock)) return;
  throw invalidSettings(
    `The setting "useStock" has to be true, false or a function that says so, not ${JSON.stringify(useStock)}.`,
  );
}
