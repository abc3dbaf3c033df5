import { PassThrough, Readable } from 'node:stream';
import type { Report } from '../../../../src/cli/doctor/report.js';
import { runCli } from '../../../../src/cli/run-cli.js';
import { asRecord } from '../../../../src/util/guards.js';
import { parseJson } from '../../../../src/util/json.js';

export interface DoctorRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface DoctorOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** The command as the command line runs it, in this process. */
export async function runDoctor(args: readonly string[], options: DoctorOptions = {}): Promise<DoctorRun> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = [collect(stdout), collect(stderr)];
  const code = await runCli(['doctor', ...args], {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    signal: options.signal ?? new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  const [out = '', err = ''] = await Promise.all(texts);
  return { code, stdout: out, stderr: err };
}

async function collect(stream: PassThrough): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** What `--json` prints. */
export async function diagnose(
  baseURL: string,
  args: readonly string[] = [],
  options: DoctorOptions = {},
): Promise<Report & { readonly exitCode: number }> {
  const { code, stdout, stderr } = await runDoctor(['--base-url', baseURL, '--json', ...args], options);
  const report = asRecord(parseJson(stdout));
  if (report === undefined) throw new Error(`no JSON: ${stdout}\n${stderr}`);
  // The command promises this shape.
  return { ...(report as unknown as Report), exitCode: code };
}

export function verdictOf(report: Report, name: string): string {
  const point = report.points.find((one) => one.name === name);
  if (point === undefined) throw new Error(`There is no point "${name}".`);
  return point.verdict;
}
