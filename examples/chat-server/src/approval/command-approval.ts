import { basename } from 'node:path';
import { isInterpreter, startsOthers } from 'responses-loop-example-shared/command-harm.js';
import { type ClassifiedCommand, classifyCommand } from 'responses-loop-example-shared/command-policy.js';
import type { PlainCommand } from 'responses-loop-example-shared/parse-command.js';
import { isWithin, type PathGuard } from 'responses-loop-example-shared/path-guard.js';
import { SAFE_PROGRAMS } from 'responses-loop-example-shared/safe-programs.js';
import type { Grant } from '../types.js';
import type { Verdict } from './verdict.js';

export interface CommandPlace {
  readonly root: string;
  readonly guard: PathGuard;
  /** Real path. No grant reaches it. */
  readonly dataFolder: string;
}

/** Their first word says what they do; of others only the program is named. */
const WITH_SUBCOMMAND = ['git', 'npm', 'pnpm', 'yarn', 'cargo', 'go', 'pip'];
/** Start what they are given beside those that are known as such: a grant for the program would be one for everything. */
const RUNS_ANYTHING =
  /^(docker|kubectl|make|gmake|just|tsx|ts-node|bunx|uvx?|pipx|poetry|Rscript|vim?|nvim|nano|emacs|ed|ex|tmux|screen|expect|socat|nc|ncat)$/;
/** The same of single subcommands: they start programs, or set what the others start. */
const SUBCOMMAND_RUNS_ANYTHING =
  /^((npm|pnpm|yarn) (exec|x|dlx|explore|config|set|c)|go (run|generate|env)|git (bisect|config|difftool|filter-branch|for-each-repo|mergetool|rebase|submodule))$/;

/** `safe` runs, `forbidden` is refused without asking, the rest asks; what is dangerous is asked about each time. */
export function judgeCommand(command: string, place: CommandPlace): Verdict {
  const classified = classifyCommand(command, { cwd: place.root, guard: place.guard });
  const { class: of, reason } = classified;
  const isNear = command.includes(basename(place.dataFolder));
  if (of === 'safe' && !isNear) return { decision: 'run' };
  if (of === 'forbidden') return { decision: 'refuse', reason: `This command is never run here: ${reason}.` };
  if (of === 'danger') return { decision: 'ask', reason, isDangerous: true };
  // Git shows what was committed of it, and a program may take a path apart in ways that are not known here.
  if (isNear) return { decision: 'ask', reason: 'it names the folder of the chat server' };
  return { decision: 'ask', reason, grant: grantOf(command, classified, place) };
}

/**
 * What "Always in this chat" would allow: commands that begin so, or this very command where a prefix says too little.
 * Nothing for what redirects, substitutes, is more than plain commands, or comes near the data folder.
 */
function grantOf(command: string, { plain }: ClassifiedCommand, place: CommandPlace): Grant | undefined {
  if (plain === undefined || plain.some(({ hasRedirect }) => hasRedirect)) return undefined;
  if (plain.some((each) => touchesData(each, place))) return undefined;
  const [only, ...others] = plain;
  const rule = only !== undefined && others.length === 0 ? prefixOf(only) : undefined;
  return { kind: 'command', rule: rule ?? `exactly ${command.trim()}` };
}

function prefixOf({ name, args }: PlainCommand): string | undefined {
  // One that only reads was asked about for where it reads, and a prefix does not say that.
  const saysLittle = Object.hasOwn(SAFE_PROGRAMS, name) || !/^[\w.+-]+$/.test(name) || runsAnything(name);
  if (saysLittle || args.some(({ isGlob }) => isGlob)) return undefined;
  if (!WITH_SUBCOMMAND.includes(name)) return `${name} *`;
  const subcommand = args[0]?.value ?? '';
  const isKnown = /^[a-z][\w:-]*$/i.test(subcommand) && !SUBCOMMAND_RUNS_ANYTHING.test(`${name} ${subcommand}`);
  return isKnown ? `${name} ${subcommand} *` : undefined;
}

function runsAnything(name: string): boolean {
  return startsOthers(name) || isInterpreter(name) || RUNS_ANYTHING.test(name);
}

function touchesData({ args }: PlainCommand, { root, guard, dataFolder }: CommandPlace): boolean {
  return args.some(({ value }) => {
    const { path, holdsClosed } = guard.resolve(value, root);
    return holdsClosed || isWithin(path, dataFolder);
  });
}
