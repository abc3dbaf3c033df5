import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import { defined } from '../util/defined.js';
import { asString } from '../util/guards.js';
import { nearestEffort } from './efforts.js';
import type { Refusal } from './refusals.js';

/** Returns the body without the refused part; `undefined` if it lacks that part, so that a retry would fail again. */
export function stripRefused(body: JsonObject, refusal: Exclude<Refusal, EffortRefusal>): JsonObject | undefined {
  if (refusal.kind === 'field') return withoutField(body, refusal.field);
  return refusal.kind === 'tool'
    ? withoutTool(body, refusal)
    : withoutReasoning(body, refusal.sealed ?? sealedIn(body));
}

type EffortRefusal = Extract<Refusal, { kind: 'effort' }>;

/** Uses the nearest level of reasoning that was not refused; `undefined` if the body has one, or none is left. */
export function withNearestEffort(body: JsonObject, refusals: readonly EffortRefusal[]): JsonObject | undefined {
  const { reasoning } = body;
  const level = isJsonObject(reasoning) ? asString(reasoning['effort']) : undefined;
  const refused = new Set(refusals.map((refusal) => refusal.level));
  if (level === undefined || !isJsonObject(reasoning) || !refused.has(level)) return undefined;
  const among = refusals.find((refusal) => refusal.level === level)?.among;
  const effort = nearestEffort(level, among, refused) ?? nearestEffort(level, undefined, refused);
  return effort === undefined ? undefined : { ...body, reasoning: { ...reasoning, effort } };
}

type ToolRefusal = Extract<Refusal, { kind: 'tool' }>;

/**
 * The same refusal with the declarations that it means. Positions differ between requests, and another caller's tool of
 * the same name may be valid. In a namespace it means one tool. Of a known kind, it means the tool at its position; of
 * an unknown kind, all without a name.
 */
export function byDeclaration(body: JsonObject, refusal: ToolRefusal): ToolRefusal {
  const { index = -1, inner = -1, isKind } = refusal;
  const place = toolsOf(body)[index];
  const within = toolsOf(place)[inner];
  const [namespace, name] = [nameOf(place), nameOf(within)];
  if (namespace !== undefined && name !== undefined)
    return { kind: 'tool', name, namespace, declared: [JSON.stringify(within)] };
  const named = byNameOrType(place) ?? refusal;
  if (named.toolType !== undefined && isKind !== true) return { ...named, declared: [JSON.stringify(place)] };
  const declared = toolsOf(body).filter((tool, at) => isMeant(named, tool, at));
  return { ...named, ...defined({ isKind }), declared: declared.map((tool) => JSON.stringify(tool)) };
}

function nameOf(tool: JsonValue | undefined): string | undefined {
  return isJsonObject(tool) ? asString(tool['name']) : undefined;
}

function byNameOrType(tool: JsonValue | undefined): ToolRefusal | undefined {
  if (!isJsonObject(tool)) return undefined;
  const [name, toolType, label] = [tool['name'], tool['type'], tool['server_label']].map(asString);
  if (name !== undefined) return { kind: 'tool', name };
  return toolType === undefined ? undefined : { kind: 'tool', toolType, ...defined({ label }) };
}

function isMeant({ declared, index, name, toolType }: ToolRefusal, tool: JsonValue, at: number): boolean {
  const isNamed =
    at === index ||
    (isJsonObject(tool) &&
      ((name !== undefined && tool['name'] === name) || (toolType !== undefined && tool['type'] === toolType)));
  return isNamed && (declared === undefined || declared.includes(JSON.stringify(tool)));
}

function withoutField(body: JsonObject, path: string): JsonObject | undefined {
  const [outer = path, inner] = path.split('.');
  const value = body[outer];
  if (value === undefined) return undefined;
  if (inner === undefined) return omit(body, outer);
  if (!isJsonObject(value) || value[inner] === undefined) return undefined;
  const rest = omit(value, inner);
  return Object.keys(rest).length === 0 ? omit(body, outer) : { ...body, [outer]: rest };
}

function withoutTool(body: JsonObject, refusal: ToolRefusal): JsonObject | undefined {
  const tools = toolsOf(body);
  const kept = tools.flatMap((tool, index) => keptOf(refusal, tool, index));
  if (kept.length === tools.length && kept.every((tool, index) => tool === tools[index])) return undefined;
  if (kept.length === 0) return ['tools', 'tool_choice', 'parallel_tool_calls'].reduce(omit, body);
  const rest = { ...body, tools: kept };
  return choosesOneOf(kept, body['tool_choice']) ? rest : omit(rest, 'tool_choice');
}

/** Returns a namespace without the refused tool; nothing if it has no other tool. */
function keptOf(refusal: ToolRefusal, tool: JsonValue, at: number): JsonValue[] {
  const { namespace, ...inner } = refusal;
  if (namespace === undefined) return isMeant(refusal, tool, at) ? [] : [tool];
  if (!isJsonObject(tool) || nameOf(tool) !== namespace) return [tool];
  const tools = toolsOf(tool);
  const kept = tools.filter((one) => !isMeant(inner, one, -1));
  if (kept.length === tools.length) return [tool];
  return kept.length === 0 ? [] : [{ ...tool, tools: kept }];
}

/** A choice by name must name a declared tool. */
function choosesOneOf(tools: readonly JsonValue[], choice: JsonValue | undefined): boolean {
  if (!isJsonObject(choice) || choice['type'] === 'allowed_tools') return true;
  const key = ['server_label', 'name'].find((name) => choice[name] !== undefined) ?? 'type';
  return tools.some((tool) => isJsonObject(tool) && tool[key] === choice[key]);
}

/** Returns the sealed reasoning of a body; reasoning of later rounds is not included. */
export function sealedIn(body: JsonObject): string[] {
  return inputOf(body).flatMap((item) =>
    isJsonObject(item) && item['type'] === 'reasoning' && typeof item['encrypted_content'] === 'string'
      ? [item['encrypted_content']]
      : [],
  );
}

function withoutReasoning(body: JsonObject, sealed: readonly string[]): JsonObject | undefined {
  const refused = new Set<JsonValue | undefined>(sealed);
  const input = inputOf(body);
  const kept = input.filter(
    (item) => !isJsonObject(item) || item['type'] !== 'reasoning' || !refused.has(item['encrypted_content']),
  );
  return kept.length === input.length ? undefined : { ...body, input: kept };
}

function inputOf(body: JsonObject): JsonValue[] {
  return Array.isArray(body['input']) ? body['input'] : [];
}

/** Reads the tools of a body or of a namespace. */
function toolsOf(holder: JsonValue | undefined): JsonValue[] {
  return isJsonObject(holder) && Array.isArray(holder['tools']) ? holder['tools'] : [];
}

function omit(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
