import type { JsonValue } from '../core/json.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import type { ToolArguments } from '../core/tool.js';
import { isRecord } from '../util/guards.js';
import { excerpt } from '../util/excerpt.js';
import { isDeeperThan, parseJson } from '../util/json.js';

/** Arguments that can be used, or a sentence for the model about what is wrong with them. */
type ParsedArguments =
  | { readonly ok: true; readonly arguments: ToolArguments }
  | { readonly ok: false; readonly message: string };

const EXPECTED = 'Send the arguments as one JSON object that matches the schema of the tool.';

/**
 * Parses the model's text. An empty text means no arguments; an object inside a JSON string is unpacked once, because
 * some hosts encode twice (SillyTavern#4083, autogen#5667). Everything else fails: a tool never runs on a guess.
 *
 * @example
 * parseToolArguments('')            // { ok: true, arguments: {} }
 * parseToolArguments('{"a":1')      // { ok: false, message: 'The arguments are not valid JSON: …' }
 */
export function parseToolArguments(text: unknown, levels = DEFAULT_LIMITS.jsonDepth): ParsedArguments {
  let value = text;
  if (typeof text === 'string') {
    if (text.trim() === '') return { ok: true, arguments: {} };
    try {
      value = JSON.parse(text) as unknown;
    } catch (error) {
      return { ok: false, message: notJson(error instanceof Error ? error.message : String(error), text) };
    }
    const inner = typeof value === 'string' ? parseJson(value) : undefined;
    if (isRecord(inner)) value = inner;
  }
  if (value === undefined || value === null) return { ok: true, arguments: {} };
  if (!isRecord(value)) return { ok: false, message: notAnObject(value, text, levels) };
  const problem = problemIn(value, levels);
  if (problem !== undefined) return { ok: false, message: `The arguments ${problem}.\n${EXPECTED}` };
  // The object was parsed from JSON, so its members are JSON values.
  return { ok: true, arguments: value as Record<string, JsonValue> };
}

function notAnObject(value: unknown, text: unknown, levels: number): string {
  const shown = typeof text === 'string' ? text : isDeeperThan(text, levels) ? '' : JSON.stringify(text);
  const kind = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return `The arguments must be a JSON object, but ${kind} came: ${excerpt(shown, 200)}\n${EXPECTED}`;
}

function notJson(reason: string, text: string): string {
  return `The arguments are not valid JSON: ${reason}\nReceived: ${excerpt(text, 400)}\n${EXPECTED}`;
}

/** This key, at any depth, would mislead a tool that merges its arguments into another object. */
function problemIn(value: object, levels: number): string | undefined {
  const open: { readonly value: object; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > levels)
      return `are nested more than ${levels} levels deep, which is not allowed (limit: limits.jsonDepth)`;
    if (Object.hasOwn(next.value, '__proto__')) return 'hold a key named "__proto__", which is not allowed';
    for (const inner of Object.values(next.value) as unknown[]) {
      if (typeof inner === 'object' && inner !== null) open.push({ value: inner, depth: next.depth + 1 });
    }
  }
  return undefined;
}
