import type { JsonObject } from '../core/json.js';
import type { HostedTool } from '../core/tool.js';
import { asString } from '../util/guards.js';
import type { ArgumentShapes, CallKind, HostedKind, Kind } from './kind.js';
import { KINDS } from './list.js';

type Listed = (typeof KINDS)[number];

/** Events with a piece of an input or an unfinished result. */
export type StreamedEventName =
  | Extract<Listed, { readonly streaming: { readonly event: string } }>['streaming']['event']
  | Extract<Listed, { readonly preview: { readonly event: string } }>['preview']['event'];

/** Item types of the families, calls and outputs. */
export type KindItemName = Listed['type'] | Extract<Listed, { readonly output: unknown }>['output']['type'];

const ALL: readonly Kind[] = KINDS;

const isCall = (kind: Kind): kind is CallKind => 'output' in kind;

/** Families whose calls another item answers. */
export const CALL_KINDS: readonly CallKind[] = ALL.filter(isCall);
/** Families that the server runs, with call and result in one item. */
export const HOSTED_KINDS: readonly HostedKind[] = ALL.filter((kind): kind is HostedKind => !isCall(kind));

const BY_CALL: ReadonlyMap<string, CallKind> = new Map(CALL_KINDS.map((kind) => [kind.type, kind]));
const BY_OUTPUT: ReadonlyMap<string, CallKind> = new Map(CALL_KINDS.map((kind) => [kind.output.type, kind]));
const BY_HOSTED: ReadonlyMap<string, HostedKind> = new Map(HOSTED_KINDS.map((kind) => [kind.type, kind]));
/** The first family of a tool describes its declaration. */
const BY_TOOL: ReadonlyMap<string, Kind> = new Map(
  ALL.toReversed().flatMap((kind) => [kind.tool, ...(kind.alsoTools ?? [])].map((tool) => [tool, kind] as const)),
);
const BY_STEP: ReadonlyMap<string, string> = new Map(
  ALL.flatMap(({ tool, steps = [] }) => steps.map((step) => [step, tool] as const)),
);
const BY_ID: ReadonlyMap<string, string> = new Map(
  ALL.flatMap(({ tool, alsoIds = [] }) => alsoIds.map((id) => [id, tool] as const)),
);

/** Returns the family of a call that another item answers, by the call's type. */
export function callKind(type: string): CallKind | undefined {
  return BY_CALL.get(type);
}

/** Returns the family that an output belongs to, by the output's type. */
export function answeredKind(type: string): CallKind | undefined {
  return BY_OUTPUT.get(type);
}

/** Returns the family of a tool that the server runs, by the type of its item. */
export function hostedKind(type: string): HostedKind | undefined {
  return BY_HOSTED.get(type);
}

/** Returns the family of a tool, by its kind on the wire. */
export function kindOfTool(tool: string): Kind | undefined {
  return BY_TOOL.get(tool);
}

/** Returns the family of a tool that the server runs, by the tool's kind. */
export function hostedKindOfTool(tool: string): HostedKind | undefined {
  return HOSTED_KINDS.find((kind) => kind.tool === tool);
}

/** Returns the tool that one of xAI's agents works for, by the name of its call. */
export function toolOfStep(step: string): string | undefined {
  return BY_STEP.get(step);
}

/** Returns a tool's kind on the wire, if the AI SDK's id names another. */
export function toolOfId(id: string): string | undefined {
  return BY_ID.get(id);
}

const ARGUMENTS: ReadonlyMap<string, ArgumentShapes> = new Map(
  ALL.flatMap(({ arguments: shapes = {} }) => Object.entries(shapes)),
);

/** Returns the shapes of a tool's arguments, by the AI SDK's id. */
export function argumentsOfTool(id: string): ArgumentShapes | undefined {
  return ARGUMENTS.get(id);
}

/** Returns the name that a call is shown by. */
export function toolOf(kind: CallKind, item: JsonObject): string {
  return kind.nameOf?.(item) ?? kind.tool;
}

/** Returns who runs a call that another item answers. `either`: the server, if the response has an output. */
export function runnerOf(item: JsonObject): ReturnType<CallKind['runsAt']> | undefined {
  return BY_CALL.get(asString(item['type']) ?? '')?.runsAt(item);
}

/** Whether the server runs a declared tool: no caller can, or the declaration names another machine. */
export function runsAtServer({ type, args }: HostedTool): boolean {
  // A few kinds have a date at the end. The whole name is tried first, because it may begin another tool's name.
  const kind = kindOfTool(type) ?? CALL_KINDS.find(({ tool }) => type.startsWith(tool));
  const declared = kind !== undefined && isCall(kind) ? kind.declaredForServer : 'always';
  return declared === 'always' || declared?.(args) === true;
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'incomplete']);

/** Whether a finished item failed. */
export function hasFailed(item: JsonObject): boolean {
  if (BY_HOSTED.get(asString(item['type']) ?? '')?.hasFailed?.(item) === true) return true;
  return FAILED.has(asString(item['status']) ?? '') || (item['error'] !== null && item['error'] !== undefined);
}
