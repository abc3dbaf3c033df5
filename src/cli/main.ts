#!/usr/bin/env node
import { runCli } from './run-cli.js';

const abort = new AbortController();
process.once('SIGINT', () => abort.abort());
process.once('SIGTERM', () => abort.abort());
// `| head` closes the pipe: nobody reads on, so there is nothing left to say.
process.stdout.on('error', () => process.exit(0));

const { stdin, stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  signal: abort.signal,
});
