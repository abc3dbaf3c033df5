import type { JsonObject } from '../../../core/json.js';
import { asRecord } from '../../../util/guards.js';

/** The type of a page of an MCP App (extension `io.modelcontextprotocol/ui`, SEP-1865). */
export const PAGE_TYPE = 'text/html;profile=mcp-app';

/** Declares the extension only if the app shows pages, because some servers then offer more tools. */
export function appCapabilities(showsApps: boolean | undefined): object {
  return showsApps === true ? { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [PAGE_TYPE] } } } : {};
}

/** The longest facts about an interface, as JSON; longer ones are dropped. */
const MAX_UI_CHARS = 4_000;

/** Returns the interface of a tool. */
export function uiOf(meta: unknown): JsonObject | undefined {
  const ui = uiMember(meta);
  try {
    // A server sends JSON; the client of an app may return anything.
    return ui !== undefined && JSON.stringify(ui).length <= MAX_UI_CHARS ? (ui as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The only caller of a tool: the model, or pages of its server. */
export type Audience = 'model' | 'apps' | 'nobody';

/** Returns the audience of a tool. A value that is no list keeps pages out, and changes nothing for the model. */
export function audienceOf(meta: unknown): Audience | undefined {
  const visibility = uiMember(meta)?.['visibility'];
  if (visibility === undefined) return undefined;
  if (!Array.isArray(visibility)) return 'model';
  if (visibility.includes('model')) return visibility.includes('app') ? undefined : 'model';
  return visibility.includes('app') ? 'apps' : 'nobody';
}

function uiMember(meta: unknown): Record<string, unknown> | undefined {
  return asRecord(asRecord(meta)?.['ui']);
}
