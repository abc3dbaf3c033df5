import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { rgPath } from 'ripgrep';
import { realFolder } from 'responses-loop-example-shared/path-guard.js';
import { trimLetters } from 'responses-loop-example-shared/trim-end.js';
import { z } from 'zod';
import { locateToRead } from '../files/locate.js';
import { type CodingTool, type ToolContext, ToolError } from './context.js';

const MAX_LINES = 250;
const MAX_COLUMNS = 500;
const MAX_ERROR_CHARS = 1000;
const NO_MATCH = 1;

const INPUT = z.object({
  pattern: z.string().min(1).describe('Regular expression, in the syntax of ripgrep.'),
  path: z.string().optional().describe('File or folder (default: the workspace).'),
  include: z.string().optional().describe('Only files that match this pattern, such as "*.ts".'),
  output: z
    .enum(['content', 'files', 'count'])
    .optional()
    .describe('Lines (default), names of files, or counts by file.'),
  context: z.int().min(0).max(50).optional().describe('Lines to show around each match.'),
});

type Input = z.infer<typeof INPUT>;

export const grep: CodingTool<typeof INPUT> = {
  name: 'grep',
  description: `Searches files with ripgrep; ignored files are left out. At most ${MAX_LINES} lines.`,
  inputSchema: INPUT,
  readOnly: true,
  title: ({ pattern, path }) => `Search ${pattern}${path === undefined ? '' : ` in ${path}`}`,
  execute: async (input, context) => {
    const shown = input.path === undefined || input.path === '' ? '.' : input.path;
    const real = locateToRead(shown, context);
    if (!existsSync(real)) throw new ToolError(`There is no file or folder ${shown}.`);
    const isFolder = statSync(real).isDirectory();
    const folder = isFolder ? real : dirname(real);
    const args = argsOf(input, {
      target: isFolder ? '.' : `./${basename(real)}`,
      excluded: excludedOf(folder, context),
    });
    const { lines, isCut } = await runRipgrep(args, folder, context);
    if (lines.length === 0) return 'No matches.';
    if (isCut) context.extra.report({ type: 'truncated' });
    const prefix = shown === '.' ? '' : `${isFolder ? trimLetters(shown, '/') : dirname(shown)}/`.replace(/^\.\//, '');
    const named = lines.map((line) => line.replace(/^\.\//, prefix));
    return [
      ...named,
      ...(isCut ? [`[only the first ${MAX_LINES} lines: search for less, or in fewer files]`] : []),
    ].join('\n');
  },
};

interface Scope {
  readonly target: string;
  /** Patterns of what is left out. */
  readonly excluded: readonly string[];
}

/** Values are joined: the port to WASM opens every word that is no option as a file. */
function argsOf({ pattern, include, output = 'content', context = 0 }: Input, { target, excluded }: Scope): string[] {
  const modes = {
    content: ['--line-number', `--context=${context}`],
    files: ['--files-with-matches'],
    count: ['--count'],
  };
  return [
    '--no-config',
    '--no-follow',
    '--hidden',
    '--color=never',
    '--no-heading',
    '--with-filename',
    `--max-columns=${MAX_COLUMNS}`,
    '--max-columns-preview',
    '--sort=path',
    ...modes[output],
    ...(include === undefined ? [] : [`--glob=${include}`]),
    ...excluded.map((glob) => `--glob=!${glob}`),
    `--regexp=${pattern}`,
    '--',
    target,
  ];
}

/** Also what lies in the workspace, and holds keys. */
function excludedOf(folder: string, { extra }: ToolContext): string[] {
  const closed = extra.protectedDirs
    .map((path) => relative(folder, realFolder(path)))
    .filter((path) => path !== '' && !path.startsWith('..'));
  return ['.git', ...extra.ignore, ...closed.map((path) => `/${path}/**`)];
}

/** A process, so that it can be stopped. */
async function runRipgrep(args: readonly string[], cwd: string, { signal, extra }: ToolContext) {
  mkdirSync(extra.outputsDir, { recursive: true, mode: 0o700 });
  const child = spawn(process.execPath, ['--no-warnings', rgPath, ...args], {
    cwd,
    // It keeps its compiled form in the folder for temporary files: that has to be one that only this user can write to.
    env: { TMPDIR: extra.outputsDir },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    timeout: extra.fileToolMs,
    killSignal: 'SIGKILL',
  });
  let problem = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (problem.length < MAX_ERROR_CHARS) problem += text;
  });
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // It is awaited below; what fails before must not count as unhandled.
  exit.catch(() => {});
  const lines: string[] = [];
  let isCut = false;
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    if (lines.length === MAX_LINES) {
      isCut = true;
      child.kill('SIGKILL');
      break;
    }
    lines.push(line);
  }
  const code = await exit;
  if (!isCut && child.killed && code === null) {
    throw new ToolError(`It took longer than ${extra.fileToolMs} ms and was ended: search fewer files.`);
  }
  if (!isCut && code !== 0 && code !== NO_MATCH && lines.length === 0) {
    throw new ToolError(
      `The search failed: ${problem.slice(0, MAX_ERROR_CHARS).trim() || `ripgrep ended with ${code}`}`,
    );
  }
  return { lines, isCut };
}
