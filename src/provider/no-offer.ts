import type { LoopTool, ToolOffer } from '../tools/loop-tool.js';

export const NO_OFFER: ToolOffer = {
  tools: [],
  byWireName: new Map<string, LoopTool>(),
  warnings: [],
  instructions: [],
};
