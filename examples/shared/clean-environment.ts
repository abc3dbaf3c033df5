import { isAbsolute } from 'node:path';
import { isWithin, realFolder } from './path-guard.js';
import { safeGitEnv } from './git-environment.js';
import type { GitPlace } from './git-repository.js';

export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_NAME =
  /key|token|secret|passw|passphrase|pwd$|credential|auth|cookie|session_id|private|signature|dsn$|connection_?string/i;
/** Names that only look like it. */
const NO_SECRET =
  /^(PWD|OLDPWD|SSH_AUTH_SOCK|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|KEYBOARD.*|.*_KEYMAP|AUTHOR|GIT_AUTHOR_.*)$/;
const SECRET_VALUE =
  /\b(sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza|ya29|eyJ)[-_A-Za-z0-9.]{12,}|:\/\/[^/\s:@]*:[^/\s@]+@|-----BEGIN /;

/** Make a shell, or a program that is on the list of those that only read, run something or behave otherwise. */
const STEERING =
  /^(BASH_ENV|ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|PS4|PROMPT_COMMAND|CDPATH|GLOBIGNORE|EXECIGNORE|IFS|FIGNORE|POSIXLY_CORRECT|BASH_XTRACEFD|BASH_LOADABLES_PATH)$/;
const STEERING_PROGRAMS =
  /^(GIT_.*|RIPGREP_CONFIG_PATH|GREP_OPTIONS|GREP_COLORS?|LESS.*|.*PAGER|BAT_.*|.*AWK.*|PYTHON.*|NODE_.*|LS_COLORS|TREE_COLORS|MAGIC|TMPDIR|JQ_.*|DIFF_OPTIONS|QUOTING_STYLE|TIME_STYLE|BLOCK_SIZE|LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|TZDIR|EDITOR|VISUAL|BROWSER)$/;

/** The variables that a command may see: none that looks like a key, none that makes the shell run something first. */
export function cleanEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !isSecret(entry[0], entry[1]) &&
      !STEERING.test(entry[0]) &&
      !entry[1].startsWith('() {'),
  );
  const clean = Object.fromEntries(kept);
  return {
    ...clean,
    PATH: pathOf(clean['PATH'], []),
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/**
 * Further reduced for commands that run unasked in this folder: programs are not looked for inside the roots, and none of them
 * is steered by a variable. Git reads the repository of the folder, and no settings but those that were looked at.
 */
export function safeEnvironment(env: Environment, place: GitPlace): Record<string, string> {
  const clean = cleanEnvironment(env);
  const kept = Object.entries(clean).filter(([name]) => !STEERING_PROGRAMS.test(name));
  return {
    ...Object.fromEntries(kept),
    ...safeGitEnv(place, clean),
    PATH: pathOf(clean['PATH'], place.guard.roots),
    PAGER: 'cat',
    // It has settings of its own that name a pager.
    BAT_CONFIG_PATH: '/dev/null',
    TERM: 'dumb',
  };
}

function isSecret(name: string, value: string): boolean {
  return (SECRET_NAME.test(name) && !NO_SECRET.test(name)) || SECRET_VALUE.test(value);
}

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Without relative folders, which mean another one in every folder. */
function pathOf(path: string | undefined, roots: readonly string[]): string {
  const real = roots.map(realFolder);
  const folders = (path ?? DEFAULT_PATH).split(':').filter((folder) => isAbsolute(folder));
  const kept = folders.filter((folder) => !real.some((root) => isWithin(realFolder(folder), root)));
  return kept.length === 0 ? DEFAULT_PATH : kept.join(':');
}
