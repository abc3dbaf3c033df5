import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import type { Refusal } from './refusals.js';

/** The body without what the server refused; `undefined` when it was not in there, so sending again would be no use. */
export function stripRefused(body: JsonObject, refusal: Refusal): JsonObject | undefined {
  if (refusal.kind === 'field') return withoutField(body, refusal.field);
  return refusal.kind === 'tool'
    ? withoutTool(body, refusal)
    : withoutReasoning(body, refusal.sealed ?? sealedIn(body));
}

/** Which tool a refusal means, by its name on the wire. */
export function refusedToolName(body: JsonObject, refusal: Extract<Refusal, { kind: 'tool' }>): string | undefined {
  if (refusal.name !== undefined) return refusal.name;
  const tool = refusal.index === undefined ? undefined : toolsOf(body)[refusal.index];
  return isJsonObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : undefined;
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

function withoutTool(body: JsonObject, refusal: Extract<Refusal, { kind: 'tool' }>): JsonObject | undefined {
  const tools = toolsOf(body);
  const kept = tools.filter((tool, index) => {
    const named = refusal.name !== undefined && isJsonObject(tool) && tool['name'] === refusal.name;
    return index !== refusal.index && !named;
  });
  if (kept.length === tools.length) return undefined;
  return kept.length === 0 ? omit(omit(body, 'tools'), 'tool_choice') : { ...body, tools: kept };
}

/** Sealed reasoning that a body holds; what a later round adds is none of it. */
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

function toolsOf(body: JsonObject): JsonValue[] {
  return Array.isArray(body['tools']) ? body['tools'] : [];
}

function omit(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
