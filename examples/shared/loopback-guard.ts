/** As much of hono's context as is looked at, so that nothing has to be installed here. */
interface Context {
  readonly req: { readonly raw: Request };
}

type Middleware = (context: Context, next: () => Promise<void>) => Promise<Response | undefined>;

export interface LoopbackGuardOptions {
  /** The address that is listened on. */
  readonly hostname: string;
  /** Asked for each request: a port of 0 is chosen by the system later. */
  readonly port: () => number;
  /** Further names it is reached by, such as those of a proxy before it; with or without a port. */
  readonly allowedHosts?: readonly string[] | undefined;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const EVERY_ADDRESS = ['0.0.0.0', '::', '[::]'];

/**
 * Lets a request in only if it was made for this server: a page that a browser shows from elsewhere may send requests here
 * (`Origin`), also by a name of its own that leads to loopback (`Host`).
 */
export function hostGuard(options: LoopbackGuardOptions): Middleware {
  return async ({ req: { raw } }, next) => {
    const host = raw.headers.get('host')?.toLowerCase();
    if (host === undefined || !isOurs(host, options)) {
      return refusal(403, 'bad_host', 'This server answers only to its own address in the Host header.');
    }
    const origin = raw.headers.get('origin')?.toLowerCase();
    if (origin !== undefined && !isOurOrigin(origin, options)) {
      return refusal(403, 'bad_origin', 'This server answers no pages of other origins.');
    }
    await next();
    return undefined;
  };
}

/** Why a token could never arrive in a header, if so. */
export function tokenProblem(token: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(token) ? undefined : 'may have letters, digits and signs of ASCII only, and no spaces';
}

/** Asks for the token, as `Authorization: Bearer …`. */
export function tokenGuard(token: string): Middleware {
  return async ({ req: { raw } }, next) => {
    if (!(await bearsToken(raw, token))) {
      const answer = refusal(401, 'unauthorized', 'Send the token of this server as "Authorization: Bearer …".');
      answer.headers.set('www-authenticate', 'Bearer');
      return answer;
    }
    await next();
    return undefined;
  };
}

/** Only in this header: browsers send cookies to every port of a host, and queries end up in histories and logs. */
export async function bearsToken({ headers }: Request, token: string): Promise<boolean> {
  const [, given] = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '') ?? [];
  return given !== undefined && (await isSameText(given, token));
}

/** Takes only JSON: a form or plain text of another page reaches a server without asking it first. */
export function jsonGuard(): Middleware {
  return async ({ req: { raw } }, next) => {
    const type = raw.headers.get('content-type');
    const isEmpty = raw.body === null || raw.headers.get('content-length') === '0';
    if (type === null ? !isEmpty && hasLength(raw) : !/^application\/json *(;|$)/i.test(type)) {
      return refusal(415, 'json_only', 'Send JSON, with "Content-Type: application/json".');
    }
    await next();
    return undefined;
  };
}

/** A request to Node has a body, if only an empty one, and says so by its headers. */
function hasLength({ headers }: Request): boolean {
  return headers.has('content-length') || headers.has('transfer-encoding');
}

/** A proxy before it may speak TLS, this server does not. */
function isOurOrigin(origin: string, options: LoopbackGuardOptions): boolean {
  const [, scheme, host] = /^(https?):\/\/([^/]+)$/.exec(origin) ?? [];
  if (host === undefined) return false;
  return isAllowedHost(host, options) || (scheme === 'http' && isOurs(host, options));
}

function isAllowedHost(host: string, { port, allowedHosts = [] }: LoopbackGuardOptions): boolean {
  return allowedHosts.some((name) => [name.toLowerCase(), `${name.toLowerCase()}:${port()}`].includes(host));
}

/** With `0.0.0.0` no one knows by which address it is reached; a name could lead anywhere, an address is what it is. */
function isOurs(host: string, options: LoopbackGuardOptions): boolean {
  const { hostname, port } = options;
  if (isAllowedHost(host, options)) return true;
  const at = port() === 80 ? /^(.*?)(?::80)?$/ : new RegExp(`^(.*):${port()}$`);
  const [, name] = at.exec(host) ?? [];
  if (name === undefined) return false;
  if (LOOPBACK.includes(name) || name === hostname.toLowerCase() || name === `[${hostname.toLowerCase()}]`) return true;
  return EVERY_ADDRESS.includes(hostname) && /^(\d+(\.\d+){3}|\[[\da-f:.]+\])$/.test(name);
}

/** In the same time wherever they differ. */
async function isSameText(given: string, wanted: string): Promise<boolean> {
  const [a, b] = await Promise.all([given, wanted].map(digest));
  return (
    a !== undefined && b !== undefined && a.reduce((differs, byte, at) => differs | (byte ^ (b[at] ?? 0)), 0) === 0
  );
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

function refusal(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}
