import { once } from '../util/once.js';
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
  const withoutBody = known.and(once(() => secretsOf({ ...request, body: undefined })));
  return { withoutBody, whole: withoutBody.and(once(() => secretsOfBody(request.body))) };
}
