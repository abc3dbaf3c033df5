import { basename } from 'node:path';
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
const WITH_SUBCOMMAND = ['git', 'npm', 'pnpm', 'yarn', 'cargo', 'go', 'docker', 'kubectl', 'pip', 'make'];
/** Run what they are given: a grant for the program would be one for everything. */
const RUNS_ANYTHING =
  /^(ba|z|da|k|fi|c|tc)?sh$|^(python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|awk|gawk|tclsh|npx|bunx)[\d.]*$|^(env|xargs|nohup|timeout|nice|time|setsid|command|builtin|stdbuf|strace|ssh|docker|kubectl)$/;

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
  const saysLittle = RUNS_ANYTHING.test(name) || Object.hasOwn(SAFE_PROGRAMS, name) || !/^[\w.+-]+$/.test(name);
  if (saysLittle || args.some(({ isGlob }) => isGlob)) return undefined;
  if (!WITH_SUBCOMMAND.includes(name)) return `${name} *`;
  const subcommand = args[0]?.value ?? '';
  return /^[a-z][\w:-]*$/i.test(subcommand) ? `${name} ${subcommand} *` : undefined;
}

function touchesData({ args }: PlainCommand, { root, guard, dataFolder }: CommandPlace): boolean {
  return args.some(({ value }) => {
    const { path, holdsClosed } = guard.resolve(value, root);
    return holdsClosed || isWithin(path, dataFolder);
  });
}
