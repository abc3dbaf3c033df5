import type { Major } from '../sides.js';

/** One set of provider options on a function of the call. */
export interface FunctionRow {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly since?: Major;
  /** Default `gpt-5.1`. */
  readonly model?: string;
}

const DUCKS = { name: 'ducks', description: 'All about ducks.' };

/** Every option of `providerOptions.openai` on a function. */
export const FUNCTION_OPTIONS: readonly FunctionRow[] = [
  { name: 'deferLoading', options: { deferLoading: true }, since: 3 },
  { name: 'deferLoading: false', options: { deferLoading: false }, since: 3 },
  { name: 'namespace', options: { namespace: DUCKS }, since: 3 },
  { name: 'namespace and deferLoading', options: { namespace: DUCKS, deferLoading: true }, since: 3 },
  { name: 'allowedCallers', options: { allowedCallers: ['programmatic'] }, since: 4 },
  { name: 'allowedCallers, both', options: { allowedCallers: ['direct', 'programmatic'] }, since: 4 },
  {
    name: 'outputSchema',
    options: { outputSchema: { type: 'object', properties: { sum: { type: 'number' } } } },
    since: 4,
  },
  { name: 'async', options: { async: true }, model: 'gpt-6-astra' },
  { name: 'async: false', options: { async: false }, model: 'gpt-6-astra' },
  { name: 'async, for a model that has no such calls', options: { async: true } },
  { name: 'omitFromRequestTools', options: { omitFromRequestTools: true }, since: 4 },
];
