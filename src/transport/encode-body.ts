import type { JsonObject, JsonValue } from '../core/json.js';

/** Texts of items, which never change. Each request of a call repeats the previous items. */
const ENCODED = new WeakMap<object, string>();

/** Items of an encoded input, and their joined text. */
interface Joined {
  readonly items: JsonValue[];
  text: string;
}

/** The last input that begins with an item: a call's inputs begin alike, and no two calls' inputs do. */
const JOINED = new WeakMap<object, Joined>();

/**
 * `JSON.stringify` of a request, most of the work of a long call's round. Encodes each input item once, and appends new
 * items to the last input. A request without tools has no later rounds. Half a surrogate pair becomes U+FFFD, because
 * strict servers refuse it.
 */
export function encodeBody(body: JsonObject): string {
  if (body['tools'] === undefined) return textOf(body) ?? '{}';
  let members = '';
  for (const [name, value] of Object.entries(body)) {
    const text = name === 'input' && Array.isArray(value) ? `[${joinItems(value)}]` : textOf(value);
    if (text !== undefined) members += `${members === '' ? '' : ','}${textOf(name)}:${text}`;
  }
  return `{${members}}`;
}

/** Appends to the text of the last input if this one begins with the same items, else joins all of them. */
function joinItems(input: readonly JsonValue[]): string {
  const [first] = input;
  if (typeof first !== 'object' || first === null || input.includes(undefined as never)) return join(input);
  const last = JOINED.get(first);
  const added = last?.items.every((item, at) => item === input[at]) === true ? input.slice(last.items.length) : input;
  if (last === undefined || added === input) {
    const text = join(input);
    JOINED.set(first, { items: [...input], text });
    return text;
  }
  if (added.length > 0) last.text += `,${join(added)}`;
  for (const item of added) last.items.push(item);
  return last.text;
}

/** Skips holes that a user's function leaves with `delete body.input[1]`. */
function join(items: readonly JsonValue[]): string {
  const texts: string[] = [];
  items.forEach((item) => {
    const isObject = typeof item === 'object' && item !== null;
    const text = (isObject ? ENCODED.get(item) : undefined) ?? textOf(item) ?? 'null';
    if (isObject) ENCODED.set(item, text);
    texts.push(text);
  });
  return texts.join(',');
}

/** `JSON.stringify` writes halves of surrogate pairs as escapes, and only them, in lower case. */
const LONE_ESCAPE = '\\ud';

/** A whole JSON escape: the text after an escaped backslash is no escape. */
const ESCAPE = /\\(?:(ud[89a-f][0-9a-f]{2})|[^])/g;

/**
 * Returns JSON without lone surrogates, because strict parsers refuse a request with one. `undefined` for anything but
 * JSON: a user's function may leave such a value in a body.
 */
function textOf(value: JsonValue | undefined): string | undefined {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined || !json.includes(LONE_ESCAPE)) return json;
  return json.replace(ESCAPE, (escape, lone: string | undefined) => (lone === undefined ? escape : '\ufffd'));
}
