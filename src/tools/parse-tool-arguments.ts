import type { JsonValue } from '../core/json.js';
import { DEFAULT_LIMITS } from '../core/limits.js';
import type { ToolArguments } from '../core/tool.js';
import { isRecord } from '../util/guards.js';
import { excerpt } from '../util/excerpt.js';
import { isDeeperThan } from '../util/json.js';

/** Arguments that can be used, or a sentence for the model that says what was wrong with them. */
type ParsedArguments =
  | { readonly ok: true; readonly arguments: ToolArguments }
  | { readonly ok: false; readonly message: string };

const EXPECTED = 'Send the arguments as one JSON object that matches the schema of the tool.';

/**
 * Reads what the model wrote. Nothing at all means no arguments; an object inside a JSON string is unpacked once, because
 * some hosts encode twice (SillyTavern#4083, autogen#5667). Everything else fails: a tool never runs on a guess.
 *
 * @example
 * parseToolArguments('')            // { ok: true, arguments: {} }
 * parseToolArguments('{"a":1')      // { ok: false, message: 'The arguments are not valid JSON: …' }
 */
export function parseToolArguments(text: unknown, levels = DEFAULT_LIMITS.jsonDepth): ParsedArguments {
  if (text === undefined || text === null) return { ok: true, arguments: {} };
  if (typeof text !== 'string') return fromValue(text, isDeeperThan(text, levels) ? '' : JSON.stringify(text), levels);
  if (text.trim() === '') return { ok: true, arguments: {} };
  const outer = parseJson(text);
  if (!outer.ok) return { ok: false, message: notJson(outer.reason, text) };
  if (outer.value === null) return { ok: true, arguments: {} };
  if (typeof outer.value !== 'string') return fromValue(outer.value, text, levels);
  const inner = parseJson(outer.value);
  return inner.ok && isRecord(inner.value)
    ? fromValue(inner.value, text, levels)
    : fromValue(outer.value, text, levels);
}

function fromValue(value: unknown, text: string, levels: number): ParsedArguments {
  if (!isRecord(value)) {
    return {
      ok: false,
      message: `The arguments have to be a JSON object, but ${describe(value)} came: ${excerpt(text, 200)}\n${EXPECTED}`,
    };
  }
  const problem = problemIn(value, levels);
  if (problem !== undefined) return { ok: false, message: `The arguments ${problem}.\n${EXPECTED}` };
  // The object comes out of JSON, so its members are JSON values.
  return { ok: true, arguments: value as Record<string, JsonValue> };
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false; reason: string } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

function notJson(reason: string, text: string): string {
  return `The arguments are not valid JSON: ${reason}\nReceived: ${excerpt(text, 400)}\n${EXPECTED}`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return `a ${typeof value}`;
}

/** A tool that merges its arguments into another object would be led astray by this key, however deep it sits. */
function problemIn(value: unknown, levels: number): string | undefined {
  const open: { readonly value: object; readonly depth: number }[] = [];
  const visit = (inner: unknown, depth: number): void => {
    if (typeof inner === 'object' && inner !== null) open.push({ value: inner, depth });
  };
  visit(value, 1);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > levels)
      return `are nested more than ${levels} levels deep, which is not allowed (limit: limits.jsonDepth)`;
    if (Object.hasOwn(next.value, '__proto__')) return 'hold a key named "__proto__", which is not allowed';
    for (const inner of Object.values(next.value)) visit(inner, next.depth + 1);
  }
  return undefined;
}
