import type { Profile } from '../core/profile.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import type { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { defined } from '../util/defined.js';
import { lazy } from '../util/lazy.js';
import { profileOf } from './profiles.js';

/** The URL of requests, and the reasons for it. */
export interface Endpoint {
  /** The final URL, query included. */
  readonly url: string;
  readonly profile: Profile;
  /** Explains each change to the user's URL in a sentence. */
  readonly reasons: readonly string[];
  /** Azure puts the deployment into `model`: set when it was lifted out of a pasted URL. */
  readonly deployment?: string;
}

export interface EndpointOptions {
  readonly baseURL: string;
  /** Chosen by the user; otherwise the host decides. */
  readonly profile?: Profile;
  /** In some apps a trailing `/` means "append no version segment". */
  readonly slashKeepsPath?: boolean;
  /** Azure: a dated version selects the route that is older than `/openai/v1`. */
  readonly apiVersion?: string;
  /** Azure: puts this deployment into the path, which gateways in front of old resources need. */
  readonly deploymentInPath?: string;
  /** Added to the URL's own parameters; `null` removes one. */
  readonly query?: Readonly<Record<string, string | null | undefined>>;
}

/** A full endpoint pasted as a base URL. */
const PASTED = /\/(responses|chat\/completions|completions|models)$/i;
/** Hosts with a single API path; other servers (llama.cpp) may use a path without a version. */
const ONE_PLACE: ReadonlySet<string> = new Set(['openai', 'azure', 'google', 'xai', 'openrouter']);
const DATED = /^\d{4}-/;
const API_VERSION = 'api-version';

/** Converts any form of base URL that a user would paste to the URL of requests. */
export function resolveEndpoint(options: EndpointOptions): Endpoint {
  const typed = options.baseURL.trim();
  const raw = typed.endsWith('#');
  const url = parse(raw ? typed.slice(0, -1) : typed, typed);
  const profile = options.profile ?? profileOf(url);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined) setParameter(url, name, value);
  }
  if (raw) return { url: url.toString(), profile, reasons: ['The base URL ends in "#" and is used as it is.'] };

  const reasons: string[] = [];
  const route = (profile.name === 'azure' ? azureRoute(url, options, profile, reasons) : undefined) ?? {
    base: basePath(url, options, profile, reasons),
  };
  url.pathname = `${route.base}/responses`;
  reasons.push('"/responses" was appended.');
  return { url: url.toString(), profile, reasons, ...defined({ deployment: route.deployment }) };
}

interface Route {
  /** The path that `/responses` is appended to. */
  readonly base: string;
  readonly deployment?: string | undefined;
}

/** The path before it belongs to a gateway, the next step after it is the deployment. */
const AZURE_DEPLOYMENTS = '/openai/deployments/';
const AZURE_API = /^(.*?)\/openai(?=$|\/(?:v1|deployments|responses|chat|completions|models)(?:\/|$))/;
/** Azure's other APIs on the same host: model inference, and projects without a route. */
const AZURE_OTHER_API = /^\/(?:models(?:\/chat\/completions)?|api\/projects\/[^/]+)$/;

/** Returns a route that only Azure has; `undefined` for an ordinary URL. */
function azureRoute(url: URL, options: EndpointOptions, profile: Profile, reasons: string[]): Route | undefined {
  const path = cleanPath(url);
  const { deploymentInPath } = options;
  const pasted = deploymentInPath === undefined ? pastedRoute(url, path, reasons) : undefined;
  if (pasted !== undefined) dropPastedVersion(url, options, reasons);
  addVersion(url, options, reasons);
  if (deploymentInPath !== undefined) return { base: deploymentPath(path, deploymentInPath, reasons) };
  if (pasted !== undefined)
    return { ...pasted, base: `${pasted.base}${datedRoute(url, reasons) ?? profile.versionSegment}` };
  // A longer path means that the user has chosen a route.
  const isRoot = /^(?:\/openai)?$/.test(path.replace(PASTED, ''));
  const base = isRoot ? datedRoute(url, reasons) : undefined;
  return base === undefined ? undefined : { base };
}

function deploymentPath(path: string, deployment: string, reasons: string[]): string {
  // Everything else is escaped; these would be path segments even if escaped.
  if (deployment === '.' || deployment === '..')
    throw invalidSettings(
      `The model id ${JSON.stringify(deployment)} cannot be a deployment in the path (useDeploymentBasedUrls).`,
    );
  reasons.push('The deployment was put into the path, as useDeploymentBasedUrls asks.');
  const prefix = AZURE_API.exec(path)?.[1] ?? (AZURE_OTHER_API.test(path) ? '' : path.replace(PASTED, ''));
  return `${prefix}/openai/deployments/${encodeURIComponent(deployment)}`;
}

/** Reads a URL of another Azure API: the path before its own, and the deployment it names. */
function pastedRoute(url: URL, path: string, reasons: string[]): Route | undefined {
  const at = url.pathname.indexOf(AZURE_DEPLOYMENTS);
  if (at >= 0) {
    reasons.push('The deployment was taken out of the path: the Responses API names it in "model".');
    const [deployment = ''] = url.pathname.slice(at + AZURE_DEPLOYMENTS.length).split('/', 1);
    return { base: url.pathname.slice(0, at), deployment: deployment === '' ? undefined : deployment };
  }
  if (!AZURE_OTHER_API.test(path)) return undefined;
  reasons.push('The path of another API was taken off.');
  return { base: '' };
}

/** Adds the version of the settings, unless the URL or `query` sets or removes it. */
function addVersion(url: URL, { apiVersion, query = {} }: EndpointOptions, reasons: string[]): void {
  if (apiVersion === undefined || query[API_VERSION] === null || url.searchParams.has(API_VERSION)) return;
  setParameter(url, API_VERSION, apiVersion);
  reasons.push(`The api-version "${apiVersion}" of the settings was added.`);
}

/** `api-version=2024-06-01` belongs to the route it was pasted with; `/openai/v1` refuses it. */
function dropPastedVersion(url: URL, { query = {} }: EndpointOptions, reasons: string[]): void {
  const isPasted = typeof query[API_VERSION] !== 'string';
  if (!isPasted || !DATED.test(url.searchParams.get(API_VERSION) ?? '')) return;
  setParameter(url, API_VERSION, null);
  reasons.push('The api-version of the pasted route was dropped.');
}

function datedRoute(url: URL, reasons: string[]): string | undefined {
  if (!DATED.test(url.searchParams.get(API_VERSION) ?? '')) return undefined;
  reasons.push('A dated api-version belongs to the route without "/v1".');
  return '/openai';
}

function basePath(url: URL, options: EndpointOptions, profile: Profile, reasons: string[]): string {
  const typed = cleanPath(url);
  const path = typed.replace(PASTED, '');
  const isPasted = path !== typed;
  if (isPasted) reasons.push('A pasted endpoint path was taken off.');
  // No path, or only its first half: `https://openrouter.ai/api`, `https://….openai.azure.com/openai`.
  const unfinished = path === '' || profile.versionSegment.startsWith(`${path}/`);
  if (!unfinished || (isPasted && !ONE_PLACE.has(profile.name))) return path;
  if (!isPasted && options.slashKeepsPath === true && /^[^?#]*\/(?:[?#]|$)/.test(options.baseURL.trim())) {
    reasons.push('The base URL ends in "/", so no version segment was appended.');
    return path;
  }
  if (profile.versionSegment !== '')
    reasons.push(`"${profile.versionSegment}" was appended, since the base URL names no version.`);
  return profile.versionSegment;
}

function cleanPath(url: URL): string {
  return url.pathname.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
}

/** Sets one parameter or, with `null`, removes it; others stay unchanged. */
function setParameter(url: URL, name: string, value: string | null): void {
  const pairs = url.search.slice(1).split('&');
  const isIt = (pair: string): boolean => new URLSearchParams(pair).has(name);
  const at = pairs.findIndex(isIt);
  if (at === -1 && value === null) return;
  const rest = pairs.filter((pair) => pair !== '' && !isIt(pair));
  if (value !== null) {
    rest.splice(at === -1 ? rest.length : at, 0, new URLSearchParams([[name, value]]).toString());
  }
  url.search = rest.join('&');
}

/** The form of a parsed host, in which letters of other alphabets are ASCII. */
const HOST = /^(?:[a-z\d._-]+|\[[\da-f:.]+\])$/;
/** This machine, private networks, and names outside public DNS. */
const local = lazy(
  () =>
    new RegExp(
      `^(?:${[
        String.raw`(?:localhost|host\.docker\.internal|[a-z\d-]+(?:\.[a-z\d-]+)*\.local)(?=[:/?]|$)`,
        String.raw`(?:0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})(?=[:/?]|$)`,
        String.raw`\[(?:::1|(?:f[cd][\da-f]{2}|fe80):[\da-f:.]*)\]`,
        String.raw`[a-z\d_-]+:\d+(?=[/?]|$)`,
      ].join('|')})`,
      'i',
    ),
);

/** `https://me:/pass@host`: a parser takes the user name for the host, and the password for the path. */
const CUT_PASSWORD = /^https?:[\\/]*[^\\/?#]*:[\\/?#].*@/i;

function parse(text: string, typed: string): URL {
  const withScheme = /^(?:https?:|[a-z][a-z\d+.-]*:\/\/)/i.test(text)
    ? text
    : `${local().test(text) ? 'http' : 'https'}://${text}`;
  // `https//host` would make "https" the host.
  if (text === '' || /^https?\//i.test(text) || !URL.canParse(withScheme)) throw notAUrl(typed);
  const url = new URL(withScheme);
  if (!/^https?:$/.test(url.protocol) || !HOST.test(url.hostname) || CUT_PASSWORD.test(withScheme))
    throw notAUrl(typed);
  if (url.username !== '' || url.password !== '') throw holdsCredentials(url);
  url.hash = '';
  return url;
}

/** Omits the parser's own error, because it repeats the input. */
function notAUrl(typed: string): ResponsesLoopError {
  return invalidSettings(
    `baseURL is not a URL: ${JSON.stringify(withoutSecrets(typed))}. Give the root of a Responses API, such as "https://api.openai.com/v1".`,
  );
}

/** Everything up to the last `@` may be a password, slashes and question marks included; a query may include keys. */
function withoutSecrets(typed: string): string {
  const scheme = /^(?:https?:[\\/]*|[a-z][a-z\d+.-]*:[\\/]{2})?/i.exec(typed)?.[0] ?? '';
  const at = typed.lastIndexOf('@');
  if (at < scheme.length) return typed.replace(/\?.*/s, '');
  return typed.slice(0, at).includes('?') ? `${scheme}…` : scheme + typed.slice(at + 1).replace(/\?.*/s, '');
}

function holdsCredentials(url: URL): ResponsesLoopError {
  return invalidSettings(
    `baseURL contains a user name or password for ${url.host}, which fetch refuses to send. Set headers: { authorization: "Basic …" } instead.`,
  );
}
