import type { McpElicitationRequest } from 'responses-loop/v3';
import { type Field, readFields } from './form-fields.js';
import { openableUrl } from './openable-url.js';

/** What an MCP server asks, as it can be shown to a person. */
export type AskedQuestion =
  | { readonly mode: 'form'; readonly fields: readonly Field[] }
  /** A page to open, whole, and the host that it is of. */
  | { readonly mode: 'url'; readonly url: string; readonly host: string };

const MAX_MESSAGE = 10_000;

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
  const page = openableUrl(url);
  return page === undefined
    ? 'its address is not one that a browser should open'
    : { mode, url: page.href, host: page.host };
}
