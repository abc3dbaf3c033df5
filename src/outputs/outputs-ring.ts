// The chunk that a provider loads once an output was cut.
export { KeptOutputs } from './kept-outputs.js';
export { OutputMemory } from './output-memory.js';
export { readOutputTool } from './read-output-tool.js';
