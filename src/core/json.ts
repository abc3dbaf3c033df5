/** Anything `JSON.stringify` keeps. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** A JSON object; `undefined` members are left out when it is written. */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}
