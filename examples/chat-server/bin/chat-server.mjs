#!/usr/bin/env node
// In this very process, so that signals, the exit code and the process id are the program's own.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { register } from 'tsx/esm/api';

if (!existsSync(new URL('../../../dist/v3.js', import.meta.url))) {
  console.error('chat-server: the package is not built yet: run `npm run build` once, or start with `npm run chat`.');
  process.exit(2);
}
// The root's tsconfig.json would lead `responses-loop/v3` to the sources of the package.
register({ tsconfig: fileURLToPath(new URL('../../tsconfig.package.json', import.meta.url)) });
// It notes who started this process, which may be gone by the time that everything is loaded.
await import('../src/cli/signals.ts');
await import('../src/main.ts');
