import type { JsonObject } from '../core/json.js';
import type { HostedTool } from '../core/tool.js';
import { asString } from '../util/guards.js';
import type { CallKind, OutputKind } from './kind.js';
import { applyPatch } from './kinds/apply-patch.js';
import { computer } from './kinds/computer.js';
import { customTool } from './kinds/custom-tool.js';
import { program } from './kinds/program.js';
import { localShell, shell } from './kinds/shell.js';
import { toolSearch } from './kinds/tool-search.js';

/** Every call that an item of its own answers. */
const KINDS = [
  customTool,
  localShell,
  shell,
  applyPatch,
  computer,
  toolSearch,
  program,
] as const satisfies readonly CallKind[];

export const CALL_KINDS: readonly CallKind[] = KINDS;

/** Events that bring pieces of an input. */
export type StreamedEventName = Extract<
  (typeof KINDS)[number],
  { readonly streaming: { readonly event: string } }
>['streaming']['event'];

const BY_CALL: ReadonlyMap<string, CallKind> = new Map(CALL_KINDS.map((kind) => [kind.type, kind]));
const BY_OUTPUT: ReadonlyMap<string, CallKind> = new Map(CALL_KINDS.map((kind) => [kind.output.type, kind]));

/** By the type of the call. */
export function callKind(type: string): CallKind | undefined {
  return BY_CALL.get(type);
}

/** By the type of the output: the kind of call that it answers. */
export function answeredKind(type: string): CallKind | undefined {
  return BY_OUTPUT.get(type);
}

export function outputKind(type: string): OutputKind | undefined {
  return BY_OUTPUT.get(type)?.output;
}

/** The type of the call that this type of output answers; `undefined` for anything else. */
export function callOfOutput(type: string): string | undefined {
  return BY_OUTPUT.get(type)?.type;
}

/** The name that a call is shown by: the tool's own, or that of its kind. */
export function toolOf(kind: CallKind, item: JsonObject): string {
  return kind.nameOf?.(item) ?? kind.tool;
}

/** Whether the item of a call says that the server runs it. Where it does not say so, an output in the response does. */
export function isServersCall(type: string, item: JsonObject): boolean {
  return BY_CALL.get(type)?.runsAt(item) === 'server';
}

/** Whether only an output in the response could show that the server ran it. */
export function mayTurnOutServers(item: JsonObject | undefined): boolean {
  return item !== undefined && BY_CALL.get(asString(item['type']) ?? '')?.runsAt(item) === 'either';
}

/** A tool that no caller can run, whatever form its calls have; and one that was declared for another machine. */
export function runsAtServer({ type, args }: HostedTool): boolean {
  // Of some kinds there are dated ones.
  const kind = CALL_KINDS.find(({ tool }) => type.startsWith(tool));
  const declared = kind === undefined ? 'always' : kind.declaredForServer;
  return declared === 'always' || declared?.(args) === true;
}
