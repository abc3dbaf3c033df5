// The file that `require` loads for every version of the AI SDK, so that a process has one engine.
export * as v2 from './index.js';
export * as v3 from './v3.js';
export * as v4 from './v4.js';
