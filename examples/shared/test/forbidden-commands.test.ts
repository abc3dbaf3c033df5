import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { classifyCommand } from '../command-policy.js';
import { COMMANDS } from './helpers/command-table.js';
import { makeCommandWorkspace } from './helpers/command-workspace.js';

const workspace = makeCommandWorkspace();
afterAll(() => workspace.remove());
const classOf = (command: string): string => classifyCommand(command, workspace).class;

/** One word in another way of writing it. */
const QUOTINGS: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `$'${word}'`,
  (word) => `\\${word}`,
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `${word.slice(0, 1)}""${word.slice(1)}`,
  (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
  (word) => `$'${[...word].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`,
  (word) => `$'${[...word].map((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}'`,
  (word) => `$'${[...word].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}'`,
];

const FORBIDDEN: readonly (readonly string[])[] = [
  ['rm', '-rf', '/'],
  ['rm', '-r', '-f', '/usr'],
  ['rm', '--recursive', '/'],
  ['/bin/rm', '-fr', '/etc'],
  ['mkfs.ext4', '/dev/sda1'],
  ['wipefs', '-a', '/dev/sda'],
  ['dd', 'if=/dev/zero', 'of=/dev/sda'],
  ['shutdown', '-h', 'now'],
  ['reboot'],
  ['chmod', '-R', '777', '/'],
  ['chown', '-R', 'me', '/'],
  ['find', '/', '-delete'],
];

/** What a shell runs as well, with the command inside. */
const WRAPS: readonly ((command: string) => string)[] = [
  // Without the blanks, two of them would be arithmetic.
  (c) => ` ( ${c} )`,
  (c) => `{ ${c}; }`,
  (c) => `ls; ${c}`,
  (c) => `ls && ${c}`,
  (c) => `ls || ${c}`,
  (c) => `ls | ${c}`,
  (c) => `ls\n${c}`,
  (c) => `ls & ${c}`,
  (c) => `${c} &`,
  (c) => `${c} 2>/dev/null`,
  (c) => `${c} # a comment`,
  (c) => `! ${c}`,
  (c) => `time ${c}`,
  (c) => `if ${c}; then ls; fi`,
  (c) => `if true; then ${c}; fi`,
  (c) => `if true; then ls; else ${c}; fi`,
  (c) => `while ${c}; do ls; done`,
  (c) => `until false; do ${c}; done`,
  (c) => `for x in a b; do ${c}; done`,
  (c) => `for ((i = 0; i < 1; i++)); do ${c}; done`,
  (c) => `case x in x) ${c};; esac`,
  (c) => `f() { ${c}; }; f`,
  (c) => `function g { ${c}\n}; g`,
  (c) => `echo $(${c})`,
  (c) => `echo "$(${c})"`,
  (c) => `echo "a b \${x:-$(${c})}"`,
  (c) => `cat <(${c})`,
  (c) => `ls > >(${c})`,
  (c) => `X=$(${c}) ls`,
  (c) => `X=$(${c})`,
  (c) => `cat <<E\n$(${c})\nE`,
  (c) => `cat <<-E\n\t$(${c})\n\tE`,
  (c) => `cat <<< "$(${c})"`,
  (c) => `[[ -n $(${c}) ]]`,
  (c) => `echo $((1 + $(${c})))`,
  (c) => `a=(1 $(${c}))`,
  (c) => `coproc { ${c}; }`,
  (c) => `ls \\\n && ${c}`,
  (c) => `cd src && ${c}`,
  (c) => `echo '${'x'.repeat(3)}'; ${c}`,
];

/** Programs that start the command; only for one whose words stand side by side. */
const STARTERS = [
  '',
  'sudo ',
  'env ',
  'env A=1 ',
  'X=1 ',
  'nohup ',
  'nice -n 5 ',
  'timeout 5 ',
  'timeout -k 1 5s ',
  'command ',
  'exec ',
  'xargs ',
  'busybox ',
  'time -p ',
  'stdbuf -o0 ',
  'setsid ',
  'find . -exec ',
  'sudo -u root env -i nice ',
  'builtin ',
  'ls | xargs -0 ',
];

const command = fc
  .tuple(
    fc.constantFrom(...FORBIDDEN),
    fc.array(fc.constantFrom(...QUOTINGS), { minLength: 4, maxLength: 4 }),
    fc.constantFrom(...STARTERS),
  )
  .map(([words, quotings, starter]) => starter + words.map((word, at) => quotings[at]?.(word) ?? word).join(' '));
const wrapped = fc
  .tuple(command, fc.array(fc.constantFrom(...WRAPS), { maxLength: 4 }))
  // A construct that ends in a comment or a heredoc may only be the outermost.
  .map(([inner, wraps]) => wraps.reduce((text, wrap) => wrap(/#|<</.test(text) ? `${text}\n` : text), inner));

describe('a command that would destroy the system', () => {
  it('never runs unasked, in whatever shell construct it stands and however it is quoted', () => {
    fc.assert(
      fc.property(wrapped, (text) => {
        const { class: found, isUnread } = classifyCommand(text, workspace);
        expect(['forbidden', 'danger', 'ask and unread', 'danger and unread', 'forbidden and unread']).toContain(
          isUnread ? `${found} and unread` : found,
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is seen as forbidden through every construct, starter and quoting by itself', () => {
    const plain = 'rm -rf /';
    const texts = [
      ...WRAPS.map((wrap) => wrap(plain)),
      ...STARTERS.map((starter) => starter + plain),
      ...QUOTINGS.map((quote) => ['rm', '-rf', '/'].map(quote).join(' ')),
      ...FORBIDDEN.map((words) => words.join(' ')),
    ];
    expect(texts.filter((text) => classOf(text) !== 'forbidden')).toEqual([]);
  });
});

describe('a command that only reads', () => {
  it('is never taken for one that only reads once something that runs or writes is put into it', () => {
    const added = fc.constantFrom(
      '$(touch ran)',
      '`touch ran`',
      '<(touch ran)',
      '> ran',
      '; touch ran',
      '& touch ran',
      '| tee ran',
      '\ntouch ran\n',
      '$X',
      '${x@P}',
    );
    fc.assert(
      fc.property(fc.constantFrom(...COMMANDS.safe), added, (safe, more) => {
        expect(classOf(`${safe.split('#')[0]} ${more}`)).not.toBe('safe');
      }),
      { numRuns: 150 },
    );
  });
});
