import { createRequire } from 'node:module';

/** Version of the package that the applications are examples of. */
export function packageVersion(): string {
  return (createRequire(import.meta.url)('responses-loop/package.json') as { version: string }).version;
}
