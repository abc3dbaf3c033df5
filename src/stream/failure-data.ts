import type { JsonObject, JsonValue } from '../core/json.js';
import { asRecord } from '../util/guards.js';

/** Takes secrets out of a text. */
type Clean = (text: string) => string;

/** An error of OpenAI has some hundred characters. */
const MAX_CHARS = 16_000;
const MAX_VALUES = 1_000;
const MAX_DEPTH = 16;

/** Members of an error body or event that say what failed; a response also repeats instructions, tools and output. */
const ABOUT_THE_FAILURE = ['type', 'sequence_number', 'code', 'message', 'param', 'error'];
const ABOUT_A_FAILED_RESPONSE = ['error', 'incomplete_details', 'usage', 'service_tier'];

/**
 * What a server sent about a failure, as `data` of an error has it: the members that the stock provider keeps, without
 * secrets. `undefined` where there are none, and where they are too large.
 */
export function failureData(sent: unknown, clean: Clean): JsonObject | undefined {
  const body = asRecord(sent) ?? {};
  const response = asRecord(body['response']);
  const picked = {
    ...pick(body, ABOUT_THE_FAILURE),
    ...(response === undefined ? {} : { response: pick(response, ABOUT_A_FAILED_RESPONSE) }),
  };
  const room: Room = { chars: MAX_CHARS, values: MAX_VALUES };
  if (Object.keys(picked).length === 0 || !fits(picked, MAX_DEPTH, room)) return undefined;
  return copyOf(picked, clean) as JsonObject;
}

function pick(body: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
}

interface Room {
  chars: number;
  values: number;
}

/** Stops where the room is used up. */
function fits(value: unknown, depth: number, room: Room): boolean {
  room.values -= 1;
  if (typeof value === 'string') room.chars -= value.length;
  if (room.chars < 0 || room.values < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (depth <= 0) return false;
  if (Array.isArray(value)) return value.every((entry) => fits(entry, depth - 1, room));
  return Object.entries(value).every(([name, member]) => {
    room.chars -= name.length;
    return fits(member, depth - 1, room);
  });
}

/** Names of members are texts of the server as well. */
function copyOf(value: unknown, clean: Clean): JsonValue {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  if (Array.isArray(value)) return value.map((entry) => copyOf(entry, clean));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [clean(name), copyOf(member, clean)]));
}
