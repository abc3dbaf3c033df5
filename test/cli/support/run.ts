import { PassThrough } from 'node:stream';
import { runCli } from '../../../src/cli/run-cli.js';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** What is piped in. */
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** A command line as the program runs it, in this process; nothing of it is a terminal. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { stdin = '', env = {}, cwd = '/', signal = new AbortController().signal } = options;
  const stdout = collector();
  const stderr = collector();
  const input = new PassThrough();
  input.end(stdin);
  const terminal = { stdin: input, stdout: stdout.stream, stderr: stderr.stream, env, cwd, signal };
  const code = await runCli(args, terminal);
  return { code, out: stdout.text(), err: stderr.text() };
}

function collector(): { readonly stream: PassThrough; readonly text: () => string } {
  const stream = new PassThrough();
  const chunks: string[] = [];
  stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  return { stream, text: () => chunks.join('') };
}
