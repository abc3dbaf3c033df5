import type { JsonObject } from '../core/json.js';

/** What differs between the names this package goes by. */
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
