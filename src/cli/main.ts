#!/usr/bin/env node
import { runCli } from './run-cli.js';

/** Time to close what is open after the reader has gone. */
const LAST_MS = 10_000;

const abort = new AbortController();
process.once('SIGINT', () => abort.abort());
process.once('SIGTERM', () => abort.abort());

// `| head` closes the pipe: the output has no reader, but started servers still have to end.
let hasReader = true;
for (const stream of [process.stdout, process.stderr])
  stream.on('error', () => {
    hasReader = false;
    abort.abort();
    setTimeout(() => process.exit(0), LAST_MS).unref();
  });

const { stdin, stdout, stderr, env } = process;
const code = await runCli(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  signal: abort.signal,
});
// The last write may fail after this.
process.exitCode = code;
process.once('exit', () => {
  if (!hasReader) process.exitCode = 0;
});
