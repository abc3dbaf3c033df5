import { lazy } from '../util/lazy.js';
import type { Redactor } from './redactor.js';
import { type SecretBearer, secretsOf, secretsOfBody } from './secrets-of.js';

export interface RequestRedactors {
  /** What it carries, and what is known besides. */
  readonly whole: Redactor;
  /** Without what only sounds like a secret in the conversation, and without the reasoning that it seals. */
  readonly withoutBody: Redactor;
}

/** Takes out of texts what a request carries. Nothing is looked for before the first text comes. */
export function redactorsOf(request: SecretBearer, known: Redactor): RequestRedactors {
  const withoutBody = known.and(lazy(() => ofPlace(request, known)));
  return { withoutBody, whole: withoutBody.and(lazy(() => secretsOfBody(request.body))) };
}

interface Place {
  readonly request: Pick<SecretBearer, 'url' | 'headers' | 'secrets'>;
  readonly found: readonly string[];
}

/** By what redactors of one provider share. */
const LATEST = new WeakMap<object, Place>();

/** Of URL and headers. Most requests have those of the one before, and the first text of an answer waits for this. */
function ofPlace({ url, headers, secrets }: SecretBearer, { family }: Redactor): readonly string[] {
  const request = { url, headers, secrets };
  const latest = LATEST.get(family);
  if (latest !== undefined && isSame(latest.request, request)) return latest.found;
  const found = secretsOf({ ...request, body: undefined });
  LATEST.set(family, { request, found });
  return found;
}

function isSame(a: Place['request'], b: Place['request']): boolean {
  if (a.url !== b.url || a.secrets !== undefined || b.secrets !== undefined) return false;
  const names = Object.keys(a.headers);
  return names.length === Object.keys(b.headers).length && names.every((name) => a.headers[name] === b.headers[name]);
}
