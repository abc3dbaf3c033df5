import type { Profile } from '../core/profile.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { defined } from '../util/defined.js';
import { profileOf } from './profiles.js';

/** Where requests go, and why there. */
export interface Endpoint {
  /** The final URL, query included. */
  readonly url: string;
  readonly profile: Profile;
  /** One sentence per change that was made to what the user typed. */
  readonly reasons: readonly string[];
  /** Azure puts the deployment into `model`: set when it was lifted out of a pasted URL. */
  readonly deployment?: string;
}

export interface EndpointOptions {
  readonly baseURL: string;
  /** Chosen by the user; otherwise the host decides. */
  readonly profile?: Profile;
  /** Some apps let a trailing `/` mean "append no version segment". */
  readonly slashKeepsPath?: boolean;
  /** Azure: a dated version means the route of the time before `/openai/v1`. */
  readonly apiVersion?: string;
  /** Azure: puts this deployment into the path, as gateways in front of old resources want it. */
  readonly deploymentInPath?: string;
  /** Added to the URL's own parameters; `null` takes one away. */
  readonly query?: Readonly<Record<string, string | null | undefined>>;
}

/** A full endpoint pasted as a base URL. */
const PASTED = /\/(responses|chat\/completions|completions|models)$/;
const AZURE_DEPLOYMENT = /^\/openai\/deployments\/([^/]*)(?:\/.*)?$/;

/** Turns any form of base URL that a person would paste into the URL requests go to. */
export function resolveEndpoint(options: EndpointOptions): Endpoint {
  const typed = options.baseURL.trim();
  const raw = typed.endsWith('#');
  const url = parse(raw ? typed.slice(0, -1) : typed, typed);
  const profile = options.profile ?? profileOf(url);
  addQuery(url, options.query ?? {});
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

/** Routes that only Azure has; `undefined` where its URL is like any other. */
function azureRoute(url: URL, options: EndpointOptions, profile: Profile, reasons: string[]): Route | undefined {
  const { apiVersion, deploymentInPath } = options;
  if (apiVersion !== undefined && !url.searchParams.has('api-version')) {
    url.searchParams.set('api-version', apiVersion);
    reasons.push(`The api-version "${apiVersion}" of the settings was added.`);
  }
  if (deploymentInPath !== undefined) {
    reasons.push('The deployment was put into the path, as useDeploymentBasedUrls asks.');
    return { base: `/openai/deployments/${encodeURIComponent(deploymentInPath)}` };
  }
  const deployment = AZURE_DEPLOYMENT.exec(url.pathname)?.[1];
  if (deployment !== undefined) {
    reasons.push('The deployment was taken out of the path: the Responses API names it in "model".');
    dropDatedVersion(url, reasons);
    return { base: profile.versionSegment, deployment: deployment === '' ? undefined : deployment };
  }
  // Whoever typed a longer path has chosen a route.
  const isRoot = /^(\/openai)?\/?$/.test(url.pathname);
  if (!isRoot || !/^\d{4}-/.test(apiVersion ?? '')) return undefined;
  reasons.push('A dated api-version belongs to the route without "/v1".');
  return { base: '/openai' };
}

function basePath(url: URL, options: EndpointOptions, profile: Profile, reasons: string[]): string {
  const typedPath = url.pathname.replaceAll(/\/{2,}/g, '/');
  let path = typedPath.replace(/\/+$/, '');
  if (PASTED.test(path)) {
    path = path.replace(PASTED, '');
    reasons.push('A pasted endpoint path was taken off.');
    return path;
  }
  // No path at all, or the first half of it: `https://openrouter.ai/api`, `https://….openai.azure.com/openai`.
  const unfinished = path === '' || profile.versionSegment.startsWith(`${path}/`);
  if (!unfinished) return path;
  if (options.slashKeepsPath === true && options.baseURL.trim().endsWith('/')) {
    reasons.push('The base URL ends in "/", so no version segment was appended.');
    return path;
  }
  if (profile.versionSegment !== '')
    reasons.push(`"${profile.versionSegment}" was appended, since the base URL names no version.`);
  return profile.versionSegment;
}

function addQuery(url: URL, query: NonNullable<EndpointOptions['query']>): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === null) url.searchParams.delete(name);
    else if (value !== undefined) url.searchParams.set(name, value);
  }
}

/** `api-version=2024-06-01` belongs to the routes with a deployment in them; `/openai/v1` refuses it. */
function dropDatedVersion(url: URL, reasons: string[]): void {
  if (!/^\d{4}-/.test(url.searchParams.get('api-version') ?? '')) return;
  url.searchParams.delete('api-version');
  reasons.push('The api-version of the deployment route was dropped.');
}

/** What a host looks like once it was parsed: letters of other alphabets are ASCII by then. */
const HOST = /^(?:[a-z\d._-]+|\[[\da-f:.]+\])$/;
const LOCAL =
  /^(?:localhost|\[::1\]|0\.0\.0\.0|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})(?=[:/?]|$)/i;

function parse(text: string, typed: string): URL {
  const withScheme = /^(?:https?:|[a-z][a-z\d+.-]*:\/\/)/i.test(text)
    ? text
    : `${LOCAL.test(text) ? 'http' : 'https'}://${text}`;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch (cause) {
    throw notAUrl(typed, cause);
  }
  // `https//host` would make "https" the host.
  if (text === '' || !/^https?:$/.test(url.protocol) || !HOST.test(url.hostname) || /^https?\//i.test(text))
    throw notAUrl(typed);
  if (url.username !== '' || url.password !== '') throw holdsCredentials(url);
  url.hash = '';
  return url;
}

function notAUrl(typed: string, cause?: unknown): ResponsesLoopError {
  const shown = typed.replace(/\/\/[^/]*@/, '//').replace(/\?.*/s, '');
  return new ResponsesLoopError({
    code: 'invalid-settings',
    // The parser's own error repeats what it was given.
    ...(shown === typed ? { cause } : {}),
    message: `baseURL is not a URL: ${JSON.stringify(shown)}. Give the root of a Responses API, such as "https://api.openai.com/v1" or "http://localhost:8080/v1".`,
  });
}

function holdsCredentials(url: URL): ResponsesLoopError {
  return new ResponsesLoopError({
    code: 'invalid-settings',
    message: `baseURL holds a user name or password for ${url.host}, which fetch refuses to send. Take them out of it and set headers: { authorization: "Basic …" } instead.`,
  });
}
