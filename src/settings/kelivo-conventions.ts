import type { ProviderConventions } from './conventions.js';

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
