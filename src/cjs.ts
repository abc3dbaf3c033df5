// What `require` loads, whichever version of the AI SDK it is for: one file, so that a process holds the engine once.
export * as v2 from './index.js';
export * as v3 from './v3.js';
export * as v4 from './v4.js';
