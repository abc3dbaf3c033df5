import { RETRIES, TIMEOUTS } from '../core/limits.js';
import { closest } from '../util/closest.js';
import { rowOf } from '../util/guards.js';
import { lazy } from '../util/lazy.js';

/** Options of `providerOptions`. */
const OPTIONS_OF_CALLS = ['store', 'instructions', 'reasoningEffort', 'truncation', 'user'];
/** Arguments of `generateText` and `streamText`. */
const ARGUMENTS_OF_CALLS = [
  ...['prompt', 'messages', 'system', 'temperature', 'topP', 'topK', 'maxOutputTokens', 'presencePenalty'],
  ...['frequencyPenalty', 'stopSequences', 'seed', 'toolChoice', 'activeTools', 'prepareStep', 'providerOptions'],
  ...['abortSignal', 'output', 'onFinish', 'onError', 'onStepFinish'],
];

/** Settings that users look for here, and their real place. */
const elsewhere = lazy((): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.keys(RETRIES).map((name) => [name, `It belongs in "retry": { retry: { ${name}: … } }.`]),
  ),
  ...Object.fromEntries(
    Object.keys(TIMEOUTS).map((name) => [name, `It belongs in "timeouts": { timeouts: { ${name}: … } }.`]),
  ),
  ...Object.fromEntries(
    OPTIONS_OF_CALLS.map((name) => [name, `It is an option of a call: providerOptions: { openai: { ${name}: … } }.`]),
  ),
  ...Object.fromEntries(
    ARGUMENTS_OF_CALLS.map((name) => [name, `It belongs to the call: streamText({ model, ${name}: … }).`]),
  ),
  model: 'The model id is given to the provider: provider("gpt-5.1").',
  modelId: 'The model id is given to the provider: provider("gpt-5.1").',
  maxSteps: 'Use "maxRounds" for rounds, and stopWhen for steps of the AI SDK.',
  approvalSecret: 'Its name is "historySecret".',
  profile: 'Its name is "backend".',
  strictSchemas: 'Write schemas for strict mode, and set "strict" of each function.',
  jsonSchemaValidator: 'Results of MCP servers are not checked against schemas; arguments are checked without it.',
}));

/** Returns the sentence about a setting that is unknown: its real place, the name that was meant, or all names. */
export function unknownSetting(name: string, known: readonly string[]): string {
  const place = rowOf(elsewhere(), name);
  return `Unknown setting "${name}".${place === undefined ? meant(name, known) : ` ${place}`}`;
}

/** Returns the name that was meant, or all there are. */
export function meant(name: string, known: readonly string[]): string {
  const close = closest(name, known);
  return close === undefined ? ` Known settings: ${known.join(', ')}.` : ` Did you mean "${close}"?`;
}
