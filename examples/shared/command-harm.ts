import { homedir } from 'node:os';
import { basename } from 'node:path';
import { type CommandWord, parseCommand, type ParsedCommand, type SimpleCommand } from './parse-command.js';
import { BLOCK_DEVICE, READERS, SENSITIVE } from './harm-tables.js';
import type { PathGuard } from './path-guard.js';
import { gitDanger } from './git-danger.js';
import { createTargets, few, type Targets, TooManyTargetsError } from './protected-targets.js';

export interface CommandContext {
  /** Where the command starts. */
  readonly cwd: string;
  readonly guard: PathGuard;
  /** Default: of the user. */
  readonly home?: string | undefined;
}

/** What is worse than a question, with the reason for the person who reads it. */
export interface Harm {
  readonly class: 'forbidden' | 'danger';
  readonly reason: string;
}

/** A program with its arguments: a simple command, or what one of them would start. */
export interface Invocation {
  /** Without its folder and in small letters, as file systems may not care. */
  readonly program: string;
  readonly args: readonly CommandWord[];
}

type Check = (invocation: Invocation, targets: Targets) => string | false | undefined;

/** Start what their arguments name. */
const WRAPPERS = new Set(
  (
    'builtin busybox chroot chrt command coproc doas env exec flock gdb ionice ltrace nice nohup nsenter parallel pkexec ' +
    'proot runuser script setarch setpriv setsid ssh stdbuf strace su sudo systemd-run taskset time timeout toybox trap ' +
    'unshare watch xargs entr firejail bwrap caffeinate ld.so ld-linux-x86-64.so.2 npx'
  ).split(' '),
);
/** Have so many words of their own in front of the command. */
const POSITIONALS: Readonly<Record<string, number>> = {
  chroot: 1,
  timeout: 1,
  flock: 1,
  taskset: 1,
  ssh: 1,
  chrt: 1,
  setarch: 1,
  su: 1,
  watch: 0,
};
const FINDERS = new Set(['find', 'fd', 'fdfind']);
/** Behind these a finder is told what to start. */
const EXECUTES = /^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/;
const SHELLS = new Set('sh bash zsh dash ksh mksh fish ash csh tcsh rbash pwsh'.split(' '));
const INTERPRETERS = /^(python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|tclsh|osascript|awk|gawk)[\d.]*$/;
const DOWNLOADERS = new Set('curl wget fetch aria2c http https xh lynx'.split(' '));
/** Run the text they are given. */
const EVALUATORS = new Set(['eval', 'trap', 'source', '.']);
const MAX_DEPTH = 5;
const MAX_STARTS = 200;

const FORBIDDEN: readonly Check[] = [
  ({ program }) => /^(mkfs|mke2fs|wipefs|mkswap|blkdiscard|newfs)/.test(program) && `${program} destroys a file system`,
  ({ program, args }) =>
    (/^(shutdown|reboot|halt|poweroff)$/.test(program) ||
      (/^(init|telinit)$/.test(program) && args.some(({ value }) => /^[06]$/.test(value))) ||
      (program === 'systemctl' &&
        args.some(({ value }) => /^(poweroff|reboot|halt|kexec|rescue|emergency)$/.test(value)))) &&
    `${program} stops the machine`,
  ({ program, args }) => {
    const target =
      program === 'dd' && args.find(({ value }) => /^of=\/+dev\/+(?!(null|zero|stdout|stderr|tty|fd\/)\b)/.test(value));
    return target && `dd writes to the device ${target.value.slice(3)}`;
  },
  ({ program, args }, targets) =>
    program === 'rm' && isRecursive(args, true) && targets.destroyed(args) && `rm of ${targets.destroyed(args)}`,
  ({ program, args }, targets) =>
    /^(chmod|chown|chgrp)$/.test(program) &&
    args.some(({ value }) => /^-[a-z]*R|^--rec/i.test(value)) &&
    targets.ofSystem(args) &&
    `${program} of everything in ${targets.ofSystem(args)}`,
  ({ program, args }, targets) =>
    /^(find|fd|fdfind)$/.test(program) &&
    args.some(({ value }) => value === '-delete' || basename(value) === 'rm') &&
    targets.aboveRoots(args) &&
    `${program} deletes what is in ${targets.aboveRoots(args)}`,
  ({ program, args }) => {
    const device = /^(tee|cp|mv|install|shred|truncate|cat|pv|scp|rsync)$/.test(program) && args.at(-1)?.value;
    return device && program !== 'cat' && BLOCK_DEVICE.test(device) && `${program} writes to the device ${device}`;
  },
];

const DANGER: readonly Check[] = [
  ({ program }) => /^(sudo|su|doas|pkexec|runuser|run0)$/.test(program) && `${program} runs as another user`,
  ({ program }) => /^(eval|source|\.|exec|trap)$/.test(program) && `${program} runs what is not seen here`,
  ({ program, args }) => program === 'rm' && isRecursive(args, false) && 'rm deletes whole folders',
  ({ program }) => /^(kill|pkill|killall5?|xkill|skill)$/.test(program) && `${program} ends processes`,
  ({ program, args }) => program === 'git' && gitDanger(args),
  ({ program, args }) => program === 'crontab' && args[0]?.value !== '-l' && 'crontab starts programs later',
  ({ program }) =>
    /^(at|batch|fdisk|sfdisk|cfdisk|sgdisk|gdisk|parted|cryptsetup|lvremove|vgremove|pvremove|zpool)$/.test(program) &&
    `${program} changes the machine`,
  ({ program }) =>
    /^(insmod|modprobe|rmmod|kexec|swapoff|nft|ip6?tables.*)$/.test(program) && `${program} changes the machine`,
  ({ program, args }, targets) => {
    const written = WRITES_LAST.test(program) ? args.slice(-1) : args;
    const changed = CHANGES_FILES.test(program) && targets.inSystem(written);
    return changed && `${program} changes ${changed}, which belongs to the system`;
  },
  // The value of an option that names a program is a command of its own, whoever is given it.
  ({ args }) => {
    const option = args.find(({ value }) => deletesByOption(value));
    return option && `${option.value} deletes what it is given`;
  },
  ({ program, args }, targets) =>
    program === 'mv' && targets.destroyed(args.slice(0, -1)) && 'mv takes away a whole folder of yours',
  ({ program, args }) => {
    const target = !READERS.has(program) && args.find(({ value }) => SENSITIVE.test(value));
    return target && `it touches ${target.value}, which decides what programs run`;
  },
];

const CHANGES_FILES = /^(chmod|chown|chgrp|chattr|setfacl|rm|unlink|shred|truncate|mv|tee|setcap|cp|ln|install)$/;
const STARTS_PROGRAM = /program|exec|cmd|command|pack|filter|path|pager|shell|httpd/;
const DELETES = /^(rm|shred|mkfs.*|dd)$/s;

/** Options such as `--compress-program=rm -rf`. */
function deletesByOption(option: string): boolean {
  const at = option.indexOf('=');
  if (at === -1 || !/^--?[\w-]*$/.test(option.slice(0, at)) || !STARTS_PROGRAM.test(option.slice(0, at))) return false;
  return DELETES.test(basename(option.slice(at + 1).split(/\s/, 1)[0] ?? ''));
}

/** Only their last argument is written. */
const WRITES_LAST = /^(cp|ln|install)$/;

/** The worst that any command in the text would do, as far as it can be seen. */
export function findHarm(parsed: ParsedCommand, context: CommandContext): Harm | undefined {
  try {
    return harmOf(parsed, context, 0);
  } catch (error) {
    if (error instanceof TooManyTargetsError) return { class: 'danger', reason: error.message };
    throw error;
  }
}

function harmOf(parsed: ParsedCommand, context: CommandContext, depth: number): Harm | undefined {
  const { cwd, guard, home = homedir() } = context;
  const targets = createTargets(parsed, { cwd, home, roots: guard.roots });
  const invocations = parsed.commands.flatMap((command) => invocationsOf(command));
  const forbidden =
    (parsed.hasForkBomb ? 'a function starts itself without end' : undefined) ??
    firstReason(FORBIDDEN, invocations, targets) ??
    deviceWrite(parsed);
  if (forbidden !== undefined) return { class: 'forbidden', reason: forbidden };
  const inner = depth < MAX_DEPTH ? innerTexts(invocations, parsed) : [];
  const runsText = invocations.some(({ program }) => SHELLS.has(program) || EVALUATORS.has(program));
  const nested = inner.map((text) => {
    const read = parseCommand(text);
    return harmOf(read, context, depth + 1) ?? (runsText ? unreadHarm(read) : undefined);
  });
  const worse = nested.find((harm) => harm?.class === 'forbidden');
  if (worse !== undefined) return worse;
  const danger =
    unknownProgram(parsed, invocations) ??
    firstReason(DANGER, invocations, targets) ??
    pipedIntoShell(parsed) ??
    sensitiveWrite(parsed);
  return danger === undefined ? nested.find((harm) => harm !== undefined) : { class: 'danger', reason: danger };
}

function unreadHarm({ problem }: ParsedCommand): Harm | undefined {
  return problem === undefined ? undefined : { class: 'danger', reason: `a shell would run a text, and ${problem}` };
}

function firstReason(
  checks: readonly Check[],
  invocations: readonly Invocation[],
  targets: Targets,
): string | undefined {
  for (const check of checks) {
    for (const invocation of invocations) {
      const reason = check(invocation, targets);
      if (typeof reason === 'string') return reason;
    }
  }
  return undefined;
}

/** The command, and behind a program that starts others, whatever may be the beginning of another command. */
function invocationsOf({ name, args }: SimpleCommand): Invocation[] {
  if (name === undefined) return [];
  const words = [name, ...args];
  return startsOf(words).map((at) => ({ program: programOf(words[at] ?? name), args: words.slice(at + 1) }));
}

/** Where commands may begin among the words, the first one among them. */
function startsOf(words: readonly CommandWord[]): number[] {
  const starts = [0];
  let wrapper = programAt(words, 0);
  if (FINDERS.has(wrapper))
    return [
      0,
      ...few(
        words.flatMap(({ value }, at) => (EXECUTES.test(value) ? [at + 1] : [])),
        MAX_STARTS,
      ),
    ];
  let positionals = POSITIONALS[wrapper] ?? 0;
  for (let at = 1; at < words.length && WRAPPERS.has(wrapper) && at < MAX_STARTS; at += 1) {
    starts.push(at);
    const { value } = words[at] ?? { value: '' };
    const isOptional = /^-|=|^[\d.]+[smhd]?$/.test(value) || words[at - 1]?.value.startsWith('-') === true;
    if (WRAPPERS.has(programAt(words, at))) {
      wrapper = programAt(words, at);
      positionals += POSITIONALS[wrapper] ?? 0;
    } else if (!isOptional) {
      if (positionals === 0) break;
      positionals -= 1;
    }
  }
  return starts;
}

function programAt(words: readonly CommandWord[], at: number): string {
  const word = words[at];
  return word === undefined ? '' : programOf(word);
}

function programOf({ value }: CommandWord): string {
  return basename(value).toLowerCase();
}

/** Texts that shells among the programs would run. */
function innerTexts(invocations: readonly Invocation[], parsed: ParsedCommand): string[] {
  const texts = invocations.flatMap(({ program, args }) => {
    if (EVALUATORS.has(program)) return [args.map(({ value }) => value).join(' ')];
    if (!SHELLS.has(program) && !WRAPPERS.has(program) && !FINDERS.has(program)) return [];
    // `env -Stext` has the option joined.
    return args.filter(({ value }) => /[\s;|&]/.test(value)).flatMap(({ value }) => [value, value.replace(/^-\w/, '')]);
  });
  const isShell = invocations.some(({ program }) => SHELLS.has(program));
  const fed = isShell
    ? parsed.commands.flatMap(({ redirects }) => redirects.filter(({ operator }) => operator.startsWith('<<')))
    : [];
  return [...texts, ...fed.map(({ target }) => target.value)];
}

function isRecursive(args: readonly CommandWord[], isUnknownEnough: boolean): boolean {
  return args.some(({ value, isLiteral }) =>
    isLiteral ? /^-[a-z]*r|^--r/i.test(value) : isUnknownEnough || value.startsWith('-'),
  );
}

function deviceWrite(parsed: ParsedCommand): string | undefined {
  const target = writeTargets(parsed).find(({ value }) => BLOCK_DEVICE.test(value));
  return target && `it writes to the device ${target.value}`;
}

function sensitiveWrite(parsed: ParsedCommand): string | undefined {
  const target = writeTargets(parsed).find(({ value }) => SENSITIVE.test(value));
  return target && `it writes to ${target.value}, which decides what programs run`;
}

function writeTargets(parsed: ParsedCommand): readonly CommandWord[] {
  const redirects = [...parsed.redirects, ...parsed.commands.flatMap((command) => command.redirects)];
  return redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target);
}

function unknownProgram({ commands }: ParsedCommand, invocations: readonly Invocation[]): string | undefined {
  const hidden = commands.find(({ name }) => name?.isLiteral === false)?.name;
  if (hidden !== undefined) return `which program "${hidden.text}" is shows only when it runs`;
  const isShellOfDownload = invocations.some(
    ({ program, args }) =>
      isInterpreter(program) && args.some(({ text }) => /[$<`]/.test(text) && mentionsDownload(text)),
  );
  return isShellOfDownload ? 'it runs what it downloads' : undefined;
}

function mentionsDownload(text: string): boolean {
  return text.split(/[^\w.-]+/).some((word) => DOWNLOADERS.has(word));
}

/** Whether it starts what its arguments name, so that its own name says little. */
export function startsOthers(program: string): boolean {
  return WRAPPERS.has(program) || FINDERS.has(program) || SHELLS.has(program) || EVALUATORS.has(program);
}

export function isInterpreter(program: string): boolean {
  return SHELLS.has(program) || INTERPRETERS.test(program);
}

function pipedIntoShell({ pipelines }: ParsedCommand): string | undefined {
  for (const stages of pipelines) {
    const programs = stages.map((stage) => stage.flatMap(invocationsOf).map(({ program }) => program));
    let isDownload = false;
    for (const [at, stage] of programs.entries()) {
      if (at > 0 && stage.some((name) => SHELLS.has(name))) return 'it pipes a text into a shell';
      if (isDownload && stage.some(isInterpreter)) return 'it runs what it downloads';
      isDownload ||= stage.some((name) => DOWNLOADERS.has(name));
    }
  }
  return undefined;
}
