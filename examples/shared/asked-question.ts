import type { McpElicitationRequest } from 'responses-loop/v3';
import { type Field, readFields } from './form-fields.js';

/** What an MCP server asks, as it can be shown to a person. */
export type AskedQuestion =
  | { readonly mode: 'form'; readonly fields: readonly Field[] }
  /** A page to open, whole, and the host that it is of. */
  | { readonly mode: 'url'; readonly url: string; readonly host: string };

const MAX_MESSAGE = 10_000;
const MAX_URL = 4_000;
const OPENABLE = new Set(['http:', 'https:']);

/** Why a question cannot be shown, in words, or what there is to show. */
export function readQuestion({
  message,
  mode,
  requestedSchema,
  url = '',
}: Pick<McpElicitationRequest, 'message' | 'mode' | 'url'> & { readonly requestedSchema: unknown }):
  | string
  | AskedQuestion {
  if (message.length > MAX_MESSAGE) return 'its text is too long';
  if (mode === 'form') {
    const fields = readFields(requestedSchema);
    return fields === undefined ? 'it has fields that cannot be shown' : { mode, fields };
  }
  if (url.length > MAX_URL || !URL.canParse(url)) return 'its address is none, or too long';
  const { href, host, protocol, username, password } = new URL(url);
  // What stands before an @ looks like the host to a person.
  const isPlain = OPENABLE.has(protocol) && username === '' && password === '';
  return isPlain ? { mode, url: href, host } : 'its address is not one that a browser should open';
}
