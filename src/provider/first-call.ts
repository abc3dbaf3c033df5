// What the first call of a provider loads, in one chunk.
export { toGenerateResult, toStreamResult } from '../sdk/parts/call-results.js';
export { Calls } from './calls.js';
export { createToolStubs, describeTools } from './tool-stubs.js';
