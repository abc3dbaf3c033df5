import type { PlainArg } from './parse-command.js';

/** Placeholders of `git log` that print what a commit holds. `%G…` starts gpg, `%(describe)` starts git again. */
const COMMIT_PARTS =
  /%[+ -]?(?:[HhTtPpdDSesfbBNnm%]|[ac][nNelLEdDrtiIsh]|g[dDnNeEs]|x[0-9a-f]{2}|C(?:red|green|blue|reset|\([a-z0-9 #,]{0,40}\))|[<>|]{1,3}\(\d{1,3}(?:,[lmr]?trunc)?\)|w\([\d,]{0,11}\)|\((?:trailers|decorate)(?::[^()%]*)?\))/g;
const NAMED = /^(oneline|short|medium|full|fuller|reference|email|raw|mboxrd)$/;

/** Why the format of commits may start something. */
export function commitFormatProblem(args: readonly PlainArg[]): string | undefined {
  for (const { value } of args) {
    const [, format] = /^--(?:pretty|format|group)=(.*)$/s.exec(value) ?? [];
    if (format === undefined) continue;
    const isKnown = NAMED.test(format) || /%|^t?format:|^(author|committer|trailer:.*)$/s.test(format);
    // Another name is one of the settings, and may stand for anything.
    if (!isKnown || format.replaceAll(COMMIT_PARTS, '').includes('%')) return unknownPart(value);
  }
  return undefined;
}

const REF_FIELD = String.raw`\*?(?:refname|objecttype|objectsize|objectname|upstream|push|HEAD|symref|worktreepath|tree|parent|numparent|object|type|tag|(?:author|committer|tagger)(?:name|email|date)?|creator|creatordate|subject|body|contents|trailers|flag|align|if|then|else|end|color|version|v)(?::[^()%]*)?`;
const REF_PARTS = new RegExp(String.raw`%(?:\(${REF_FIELD}\)|%|[0-9a-f]{2})`, 'g');
const REF_ORDER = new RegExp(`^-?${REF_FIELD}$`);

/** The same of `git branch`, `git tag` and `git for-each-ref`, which read `%(signature)` and take fields to sort by. */
export function refFormatProblem(args: readonly PlainArg[]): string | undefined {
  const odd = args.find(({ value }, at) => {
    const order = /^--sort=(.*)$/s.exec(value)?.[1] ?? (args[at - 1]?.value === '--sort' ? value : undefined);
    return value.replaceAll(REF_PARTS, '').includes('%') || (order !== undefined && !REF_ORDER.test(order));
  });
  return odd && unknownPart(odd.value);
}

function unknownPart(value: string): string {
  return `${value} has a part that is not known to only print what is stored`;
}
