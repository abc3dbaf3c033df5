import type { SafeProgram } from './safe-programs.js';

/** What a rule for a program may stand for. An option that is not listed here has no rule but "exactly". */
export interface ShapeProgram extends SafeProgram {
  readonly texts?: never;
  /** Options whose value is a text and nothing else, so that a rule stands for each value. Of others it names the value. */
  readonly freeValues?: readonly string[];
  /** Arguments that a rule stands for: files of the workspace, or names to look for. Others are named by the rule. */
  readonly free?: 'paths' | 'names';
}

const words = (text: string): string[] => text.split(' ');

/**
 * Make files and folders, whatever their options: none of them names a program, or writes what somebody chose. A rule stands
 * for any options with paths inside the workspace.
 */
export const ANY_OPTION: ReadonlySet<string> = new Set(['mkdir', 'rmdir', 'touch']);

/** What follows is for the script, which may take a file for a program. So the rule names all of it. */
const SCRIPT: ShapeProgram = { long: words('silent if-present workspaces include-workspace-root') };
const INSTALL: ShapeProgram = { long: words('no-audit no-fund ignore-scripts prefer-offline silent') };
/** Not `--config`, which sets a program to run, nor another folder or target. */
const CARGO: ShapeProgram = {
  flags: 'qvr',
  long: words(
    'release all workspace all-targets all-features no-default-features lib bins tests examples benches quiet verbose ' +
      'locked offline frozen no-run no-fail-fast keep-going',
  ),
  longValues: words('package bin test example features profile jobs'),
  wordValues: words('--package -p --bin --test --example --features -F --profile --jobs -j'),
  free: 'names',
};
/** Not `-exec`, `-toolexec`, `-vettool`, `-o` and the profiles. */
const GO: ShapeProgram = {
  words: words('-v -race -short -cover -failfast -json -count=1'),
  wordValues: words('-run -count -timeout -bench -benchtime -parallel'),
  freeValues: ['-run', '-bench'],
  free: 'paths',
};

/**
 * By program, or by program and first argument. Options that name a program, settings or another place to write are left
 * out. A rule counts in a root of the workspace: in another folder `npm install` or `git commit` starts what that folder names.
 */
export const SHAPES: Readonly<Record<string, ShapeProgram>> = {
  'npm test': SCRIPT,
  'npm run': SCRIPT,
  'npm ci': INSTALL,
  'npm install': INSTALL,
  'pnpm test': {},
  'pnpm run': {},
  'pnpm install': { long: words('frozen-lockfile ignore-scripts prefer-offline silent') },
  'yarn test': {},
  'yarn run': {},
  'yarn install': { long: words('frozen-lockfile immutable ignore-scripts silent') },
  'cargo build': CARGO,
  'cargo check': CARGO,
  'cargo clippy': CARGO,
  'cargo test': CARGO,
  'cargo fmt': { long: words('all check'), free: 'names' },
  'go build': { words: ['-v', '-race'], free: 'paths' },
  'go test': GO,
  'go vet': { words: ['-v', '-json'], free: 'paths' },
  // Not `-p`, `-c`, `-o` and what writes reports.
  pytest: {
    flags: 'vqxsl',
    values: 'kmn',
    long: words(
      'verbose quiet exitfirst lf last-failed ff failed-first sw stepwise no-header no-summary collect-only disable-warnings',
    ),
    longValues: words('tb maxfail durations'),
    freeValues: ['-k', '-m'],
    free: 'paths',
  },
  tsc: { flags: 'b', long: words('noEmit pretty skipLibCheck build'), wordValues: words('-p --project') },
  eslint: {
    long: words('fix cache quiet'),
    longValues: words('max-warnings ext'),
    wordValues: words('--max-warnings --ext'),
    free: 'paths',
  },
  prettier: {
    flags: 'clwu',
    long: words('check list-different write cache ignore-unknown'),
    free: 'paths',
  },
  'vitest run': {
    flags: 'u',
    values: 't',
    long: words('coverage silent update passWithNoTests'),
    longValues: words('bail'),
    freeValues: ['-t'],
    free: 'paths',
  },
  jest: {
    flags: 'iu',
    values: 't',
    long: words('runInBand ci coverage verbose silent passWithNoTests detectOpenHandles forceExit onlyChanged'),
    longValues: words('maxWorkers bail testNamePattern'),
    freeValues: ['-t', '--testNamePattern'],
    free: 'paths',
  },
  black: { flags: 'qv', values: 'l', long: words('check diff quiet verbose'), free: 'paths' },
  'ruff check': { flags: 'qv', long: words('fix diff quiet verbose no-cache'), free: 'paths' },
  'ruff format': { flags: 'qv', long: words('check diff quiet verbose no-cache'), free: 'paths' },
  mypy: { flags: 'v', long: words('strict ignore-missing-imports pretty'), free: 'paths' },
  gofmt: { words: words('-l -w -d -s -e'), free: 'paths' },
  'git add': {
    flags: 'AunvfN',
    long: words('all update dry-run verbose force intent-to-add'),
    free: 'paths',
  },
  'git commit': {
    flags: 'aqvsn',
    values: 'm',
    long: words('all quiet verbose signoff no-verify amend no-edit allow-empty'),
    longValues: ['message'],
    wordValues: ['--message'],
    freeValues: ['-m', '--message'],
    free: 'paths',
  },
  'git fetch': { flags: 'pqtv', long: words('all prune tags quiet verbose dry-run') },
  'git pull': { flags: 'qv', long: words('rebase ff-only no-rebase autostash quiet verbose') },
  'git stash': {},
  'git switch': { flags: 'q', values: 'c', long: ['quiet'] },
};
