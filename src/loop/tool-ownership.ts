import type { Call } from '../core/call.js';
import type { LoopTool, ToolOffer } from '../tools/loop-tool.js';

/** Whose call it is. `known`: there is such a tool; otherwise it goes to whoever offered tools. */
export type Ownership =
  | { readonly origin: 'loop'; readonly known: true; readonly tool: LoopTool }
  | { readonly origin: 'loop'; readonly known: false; readonly tool: undefined }
  | { readonly origin: 'client'; readonly known: boolean };

/** A loop tool's name is ours, a name among the caller's tools is theirs, any other is answered by whoever offered tools. */
export function ownershipOf(name: string, call: Call, offer: ToolOffer): Ownership {
  const tool = offer.byWireName.get(name);
  if (tool !== undefined) return { origin: 'loop', known: true, tool };
  if (call.clientTools.some((declaration) => declaration.name === name)) return { origin: 'client', known: true };
  return offer.tools.length > 0
    ? { origin: 'loop', known: false, tool: undefined }
    : { origin: 'client', known: false };
}

/** The caller's name for a tool that the server knows by its kind; kinds come with dates and `_preview`. */
export function hostedName(kind: string, call: Call): string | undefined {
  const { hostedTools } = call;
  const found =
    hostedTools.find((tool) => tool.name === kind) ??
    hostedTools.find((tool) => tool.type === kind || tool.type.startsWith(`${kind}_`));
  return found?.name;
}

export function unknownToolMessage(name: string, call: Call, offer: ToolOffer): string {
  const names = [...offer.byWireName.keys(), ...call.clientTools.map((tool) => tool.name)];
  return `There is no tool named ${JSON.stringify(name)}. The tools are: ${names.join(', ')}.`;
}
