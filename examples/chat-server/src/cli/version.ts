import { createRequire } from 'node:module';

/** Of the package that this is an example of. */
export const VERSION: string = (createRequire(import.meta.url)('responses-loop/package.json') as { version: string })
  .version;
