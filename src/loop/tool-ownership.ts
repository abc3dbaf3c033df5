import type { Call } from '../core/call.js';
import { type HostedTool, wireNameOf } from '../core/tool.js';
import { isRecord } from '../util/guards.js';
import type { LoopTool } from '../tools/loop-tool.js';
import type { UnknownToolOptions } from './unknown-tool.js';

/** Whose call it is. `known`: there is such a tool; otherwise it goes to whoever offered tools. */
export type Ownership =
  | { readonly origin: 'loop'; readonly known: true; readonly tool: LoopTool }
  | { readonly origin: 'loop'; readonly known: false; readonly tool: undefined }
  | { readonly origin: 'client'; readonly known: boolean };

/**
 * A loop tool's name is ours, a name among the caller's tools is theirs. Any other goes where the settings send it, else to
 * whoever offered tools.
 */
export function ownershipOf(name: string, { call, offer, onUnknownTool }: UnknownToolOptions): Ownership {
  const tool = offer.byWireName.get(name);
  if (tool !== undefined) return { origin: 'loop', known: true, tool };
  if (call.clientTools.some((declaration) => declaration.name === name)) return { origin: 'client', known: true };
  const isOurs = onUnknownTool === undefined ? offer.tools.length > 0 : onUnknownTool !== 'client';
  return isOurs ? { origin: 'loop', known: false, tool: undefined } : { origin: 'client', known: false };
}

/**
 * The caller's declaration of a tool that the server knows by its kind, or by a name of its own where the caller gave it
 * one; kinds come with dates and `_preview`.
 */
export function hostedTool(kind: string, { hostedTools }: Call): HostedTool | undefined {
  return (
    hostedTools.find((tool) => wireNameOf(tool) === kind) ??
    hostedTools.find((tool) => tool.name === kind) ??
    hostedTools.find((tool) => tool.type === kind || tool.type.startsWith(`${kind}_`))
  );
}

/** What such a tool is called in the call. */
export function hostedName(kind: string, call: Call): string | undefined {
  return hostedTool(kind, call)?.name;
}

/** A shell that was not declared for the caller's own machine. */
export function runsAtServer({ type, args: { environment } }: HostedTool): boolean {
  return type === 'shell' && isRecord(environment) && (environment['type'] ?? 'local') !== 'local';
}
