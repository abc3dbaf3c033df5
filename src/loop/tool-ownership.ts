import type { Call } from '../core/call.js';
import type { LoopTool, ToolOffer } from '../tools/loop-tool.js';

/** Whose call it is, and what follows from that. */
export type Ownership =
  | { readonly origin: 'loop'; readonly tool: LoopTool }
  /** Nobody's tool, but ours are on offer: the model is told which names exist. */
  | { readonly origin: 'loop'; readonly tool: undefined }
  | { readonly origin: 'client' };

/** A loop tool's name is ours, a name among the caller's tools is theirs, any other is answered by whoever offered tools. */
export function ownershipOf(name: string, call: Call, offer: ToolOffer): Ownership {
  const tool = offer.byWireName.get(name);
  if (tool !== undefined) return { origin: 'loop', tool };
  if (call.clientTools.some((declaration) => declaration.name === name)) return { origin: 'client' };
  return offer.tools.length > 0 ? { origin: 'loop', tool: undefined } : { origin: 'client' };
}

export function unknownToolMessage(name: string, call: Call, offer: ToolOffer): string {
  const names = [...offer.byWireName.keys(), ...call.clientTools.map((tool) => tool.name)];
  return `There is no tool named ${JSON.stringify(name)}. The tools are: ${names.join(', ')}.`;
}
