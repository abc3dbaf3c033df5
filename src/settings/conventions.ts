import type { JsonObject } from '../core/json.js';

/** The differences between this package's names. */
export interface ProviderConventions {
  readonly name: string;
  readonly slashKeepsPath: boolean;
  readonly defaults: JsonObject;
  readonly nameClash: 'rename' | 'loop';
}

export const CONVENTIONS: ProviderConventions = {
  name: 'responses-loop',
  slashKeepsPath: false,
  defaults: {},
  nameClash: 'rename',
};

/**
 * The conventions of an existing chat app: a base URL that ends in `/` gets no version segment, `truncation` is `auto`,
 * and a loop tool keeps its name against a tool of the caller.
 */
export const KELIVO_CONVENTIONS: ProviderConventions = {
  name: 'kelivo-responses',
  slashKeepsPath: true,
  defaults: { truncation: 'auto' },
  nameClash: 'loop',
};
