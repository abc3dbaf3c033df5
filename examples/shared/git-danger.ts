import type { CommandWord } from './parse-command.js';

const GIT_VALUES = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--exec-path',
  '--super-prefix',
  '--config-env',
]);

/** What a command of git throws away or sends elsewhere. */
export function gitDanger(args: readonly CommandWord[]): string | false {
  let at = 0;
  while (args[at]?.value.startsWith('-') === true) at += GIT_VALUES.has(args[at]?.value ?? '') ? 2 : 1;
  const [subcommand, ...rest] = args.slice(at);
  if (subcommand === undefined) return false;
  if (!subcommand.isLiteral) return 'which command of git it runs is not known';
  const has = (pattern: RegExp): boolean => rest.some(({ value }) => pattern.test(value));
  if (/^(push|send-pack|http-push)$/.test(subcommand.value) || has(/^push$/))
    return 'git push changes another repository';
  if (subcommand.value === 'reset' && has(/^--h/)) return 'git reset --hard throws changes away';
  if (subcommand.value === 'clean' && !has(/^(-[a-mo-z]*n[a-z]*|--dry-run)$/i)) return 'git clean deletes files';
  return false;
}
