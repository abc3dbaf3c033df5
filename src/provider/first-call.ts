// The chunk that the first call of a provider loads.
export { toGenerateResult } from '../sdk/parts/generate-result.js';
export { toStreamResult } from '../sdk/parts/stream-result.js';
export { Calls } from './calls.js';
export { CutOutputs } from './cut-outputs.js';
