import { Redactor } from '../../../src/observe/redact.js';

/** A redactor of fixed secrets. */
export function knowing(...secrets: readonly string[]): Redactor {
  return Redactor.of(() => secrets);
}
