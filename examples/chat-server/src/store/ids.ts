import { randomBytes } from 'node:crypto';
import { HttpError } from '../errors.js';

const ID = /^[A-Za-z0-9_-]{1,64}$/;

export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** Ids become names of folders: what is no id is refused before it touches a path. */
export function checkId(value: unknown, field = 'id'): string {
  if (isId(value)) return value;
  throw new HttpError(422, 'bad_request', `"${field}": an id has 1 to 64 letters, digits, "_" and "-".`);
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('base64url')}`;
}
