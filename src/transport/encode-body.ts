import type { JsonObject, JsonValue } from '../core/json.js';

/** Input items are made once and never changed, and each request of a call holds those of the one before. */
const ENCODED = new WeakMap<object, string>();

/**
 * `JSON.stringify` of a request, which for a long call is most of a round, spends on each input item once. Without tools
 * there are no rounds to come. No text of it has half a surrogate pair, which strict servers refuse.
 */
export function encodeBody(body: JsonObject): string {
  if (body['tools'] === undefined) return wellFormed(JSON.stringify(body));
  const members = Object.entries(body).flatMap(([name, value]) => {
    const isInput = name === 'input' && Array.isArray(value);
    // Passes over the holes that a function of the user's leaves with `delete body.input[1]`.
    const text = isInput ? `[${value.flatMap((item) => encodeItem(item)).join(',')}]` : textOf(value);
    return text === undefined ? [] : [`${textOf(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

function encodeItem(item: JsonValue): string {
  if (typeof item !== 'object' || item === null) return textOf(item) ?? 'null';
  const known = ENCODED.get(item);
  if (known !== undefined) return known;
  const text = textOf(item) ?? 'null';
  ENCODED.set(item, text);
  return text;
}

/** `undefined` for what is no JSON at all: overrides are functions of the user's, and may leave anything in a body. */
function textOf(value: JsonValue | undefined): string | undefined {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : wellFormed(text);
}

/** `JSON.stringify` writes halves of surrogate pairs as escapes, and only them, in lower case. */
const LONE_ESCAPE = '\\ud';

/** One escape of JSON, whole: what follows an escaped backslash is text. */
const ESCAPE = /\\(?:(ud[89a-f][0-9a-f]{2})|[^])/g;

/** What `JSON.stringify` made, without lone surrogates in names and values; strict parsers refuse a request for one. */
function wellFormed(json: string): string {
  if (!json.includes(LONE_ESCAPE)) return json;
  return json.replace(ESCAPE, (escape, lone: string | undefined) => (lone === undefined ? escape : '\ufffd'));
}
