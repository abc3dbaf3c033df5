#!/usr/bin/env -S node --
// `--`: without it node itself would look for the file of `--env-file`, and end with 9 where there is none.
// In this very process, so that signals, the exit code and the process id are the program's own.
import { existsSync } from 'node:fs';
import { loadProgram } from '../../shared/load-program.mjs';

if (!existsSync(new URL('../../../dist/v3.js', import.meta.url))) {
  console.error('coder: the package is not built yet: run `npm run build` once, or start with `npm run coder`.');
  process.exit(2);
}
await loadProgram(new URL('../src/cli/main.ts', import.meta.url));
