import { type Clean, clean, type CleanText, type CleanValue } from '../../src/core/clean-text.js';
import type { JsonObject, JsonValue } from '../../src/core/json.js';

declare const raw: string;
declare const pattern: `a${string}`;
declare const ok: CleanText;
declare const word: 'a' | 'b';
declare const json: Clean<JsonObject>;
declare const any: CleanValue;

void clean`nothing`;
void clean`${ok} ${1} ${true} ${word} ${'literal'}`;
// @ts-expect-error a text of a server
void clean`${raw}`;
// @ts-expect-error
void clean`${ok} ${pattern}`;
export const read: string = ok;
export const object: JsonObject = json;
export const u: unknown = any;
// @ts-expect-error
export const t: CleanText = raw;
// @ts-expect-error
export const v: CleanValue = raw;
// @ts-expect-error
export const v2: CleanValue = { raw };
export const v3: CleanValue = json;
export const e: Clean<{ a: string; b?: 'x' | 'y'; c: JsonValue }> = { a: ok, b: 'x', c: json };
// @ts-expect-error
export const f: Clean<{ a: string }> = { a: raw };
