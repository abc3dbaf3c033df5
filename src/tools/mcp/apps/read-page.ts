import { clean, type CleanText } from '../../../core/clean-text.js';
import type { Limits } from '../../../core/limits.js';
import { limitReached } from '../../../errors/limit-reached.js';
import { ResponsesLoopError } from '../../../errors/responses-loop-error.js';
import { defined } from '../../../util/defined.js';
import { asRecord, asRecords, asString } from '../../../util/guards.js';
import { PAGE_TYPE } from './extension.js';

/** The page of an MCP App. */
export interface McpAppResource {
  /** The address of the page: `ui://…`. */
  readonly uri: string;
  /** The media type of pages of MCP Apps. */
  readonly mimeType: typeof PAGE_TYPE;
  /** The document, as the server wrote it: show it only in a frame of another origin, under its `csp`. */
  readonly html: string;
  /** Names the hosts that the page may reach; an absent list allows none. */
  readonly csp: McpAppCsp;
  /** Names the features of the browser that the page would like to use. */
  readonly permissions: McpAppPermissions;
  /** An origin that the page would like to have; its form is up to the app. */
  readonly domain?: string;
  /** Whether the page wants a border; absent: as the app likes. */
  readonly prefersBorder?: boolean;
  /** Names wishes of the server that are left out, because MCP Apps have another form for them. */
  readonly warnings: readonly string[];
}

/** Sources for a Content-Security-Policy, such as `https://cdn.example.com` and `wss://*.example.com`. */
export interface McpAppCsp {
  /** For `connect-src`. */
  readonly connectDomains?: readonly string[];
  /** For `img-src`, `script-src`, `style-src`, `font-src` and `media-src`. */
  readonly resourceDomains?: readonly string[];
  /** For `frame-src`. */
  readonly frameDomains?: readonly string[];
  /** For `base-uri`. */
  readonly baseUriDomains?: readonly string[];
}

/** Features of the browser, each `{}` if the page asks for it. */
export interface McpAppPermissions {
  /** The camera of the device. */
  readonly camera?: object;
  /** The microphone of the device. */
  readonly microphone?: object;
  /** The place of the device. */
  readonly geolocation?: object;
  /** Writing to the clipboard. */
  readonly clipboardWrite?: object;
}

const CSP_LISTS = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;
const PERMISSIONS = ['camera', 'microphone', 'geolocation', 'clipboardWrite'] as const;
const MAX_SOURCES = 100;
const MAX_SOURCE_CHARS = 300;

export interface PageRequest {
  readonly uri: string;
  /** The server and the address, for errors. */
  readonly place: CleanText;
  readonly limits: Pick<Limits, 'pageChars'>;
}

/** Reads the page out of an answer to `resources/read`. Throws if it is missing, of another type, or too long. */
export function readPage(result: Record<string, unknown>, { uri, place, limits }: PageRequest): McpAppResource {
  const content = asRecords(result['contents']).find((one) => one['uri'] === uri);
  if (content === undefined) throw appError(clean`${place}: the answer of the server does not have it.`);
  // Blanks and case have no meaning in a media type.
  if (asString(content['mimeType'])?.replaceAll(' ', '').toLowerCase() !== PAGE_TYPE)
    throw appError(clean`${place} is not a page of an MCP App: its type must be "text/html;profile=mcp-app".`);
  const html = asString(content['text']) ?? textOfBlob(content['blob'], limits.pageChars);
  if (html === undefined) throw appError(clean`${place} has neither \`text\` nor a \`blob\` in base64.`);
  if (html.length > limits.pageChars)
    throw limitReached(clean`${place} has more than ${limits.pageChars} characters`, {
      name: 'limits.pageChars',
      value: limits.pageChars,
    });
  return { uri, mimeType: PAGE_TYPE, html, ...readUi(asRecord(asRecord(content['_meta'])?.['ui']) ?? {}) };
}

export function appError(message: CleanText): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'mcp-app', message });
}

/** Decodes no more than the limit needs to be exceeded. */
function textOfBlob(blob: unknown, maxChars: number): string | undefined {
  const base64 = asString(blob);
  if (base64 === undefined) return undefined;
  try {
    // Four characters are three bytes, which are at least one character of the text.
    const bytes = atob(base64.slice(0, 4 * (maxChars + 1)));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

type Wishes = Pick<McpAppResource, 'csp' | 'permissions' | 'domain' | 'prefersBorder' | 'warnings'>;

function readUi({ csp, permissions, domain, prefersBorder }: Record<string, unknown>): Wishes {
  const warnings: string[] = [];
  const asked = asRecord(permissions) ?? {};
  return {
    csp: Object.fromEntries(CSP_LISTS.flatMap((list) => sourcesOf(list, asRecord(csp)?.[list], warnings))),
    permissions: Object.fromEntries(PERMISSIONS.flatMap((name) => (asRecord(asked[name]) ? [[name, {}]] : []))),
    ...defined({
      domain: isSource(`https://${asString(domain) ?? '.'}`) ? asString(domain) : undefined,
      prefersBorder: typeof prefersBorder === 'boolean' ? prefersBorder : undefined,
    }),
    warnings,
  };
}

function sourcesOf(list: string, given: unknown, warnings: string[]): readonly [string, readonly string[]][] {
  if (given === undefined) return [];
  const wished: readonly unknown[] = Array.isArray(given) ? given.slice(0, MAX_SOURCES) : [given];
  const sources = wished.filter(isSource);
  const left = wished.length - sources.length;
  if (left > 0)
    warnings.push(`${left} of ${wished.length} entries of \`csp.${list}\` are no sources with a host, and left out.`);
  if (Array.isArray(given) && given.length > MAX_SOURCES)
    warnings.push(`\`csp.${list}\` has ${given.length} entries; the first ${MAX_SOURCES} are used.`);
  return [[list, sources]];
}

/** Whether a text names a host and nothing else: quotes, blanks, `;`, `,` or `*` alone would allow more in a policy. */
function isSource(given: unknown): given is string {
  if (typeof given !== 'string' || given.length > MAX_SOURCE_CHARS) return false;
  const isPlain = /^(?:https?|wss?):\/\/(?:\*\.)?[\w.:/~%-]+$/i.test(given);
  return isPlain && URL.canParse(given.replace('//*.', '//'));
}
