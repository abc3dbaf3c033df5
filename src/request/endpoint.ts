import type { Profile } from '../core/profile.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
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
  readonly query?: Readonly<Record<string, string>>;
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
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value);
  if (raw) return { url: url.toString(), profile, reasons: ['The base URL ends in "#" and is used as it is.'] };

  const reasons: string[] = [];
  const deployment = profile.name === 'azure' ? AZURE_DEPLOYMENT.exec(url.pathname)?.[1] : undefined;
  const base = deployment === undefined ? basePath(url, options, profile, reasons) : profile.versionSegment;
  if (deployment !== undefined) reasons.push('The deployment was taken out of the path: the Responses API names it in "model".');
  url.pathname = `${base}/responses`;
  reasons.push('"/responses" was appended.');
  return { url: url.toString(), profile, reasons, ...(deployment ? { deployment } : {}) };
}

function basePath(url: URL, options: EndpointOptions, profile: Profile, reasons: string[]): string {
  const typedPath = url.pathname.replaceAll(/\/{2,}/g, '/');
  let path = typedPath.replace(/\/+$/, '');
  if (PASTED.test(path)) {
    path = path.replace(PASTED, '');
    reasons.push('A pasted endpoint path was taken off.');
    return path;
  }
  const azureRoot = profile.name === 'azure' && path === '/openai';
  if (path !== '' && !azureRoot) return path;
  if (options.slashKeepsPath === true && options.baseURL.trim().endsWith('/')) {
    reasons.push('The base URL ends in "/", so no version segment was appended.');
    return path;
  }
  if (profile.versionSegment !== '') reasons.push(`"${profile.versionSegment}" was appended, since the base URL names no path.`);
  return profile.versionSegment;
}

function parse(text: string, typed: string): URL {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `${isLocal(text) ? 'http' : 'https'}://${text}`;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch (cause) {
    throw notAUrl(typed, cause);
  }
  if (text === '' || !/^https?:$/.test(url.protocol) || url.hostname === '') throw notAUrl(typed);
  url.hash = '';
  return url;
}

function isLocal(text: string): boolean {
  return /^(localhost|127\.|\[::1\]|0\.0\.0\.0|192\.168\.|10\.)/.test(text);
}

function notAUrl(typed: string, cause?: unknown): ResponsesLoopError {
  return new ResponsesLoopError({
    code: 'invalid-settings',
    cause,
    message: `baseURL is not a URL: ${JSON.stringify(typed)}. Give the root of a Responses API, such as "https://api.openai.com/v1" or "http://localhost:8080/v1".`,
  });
}
