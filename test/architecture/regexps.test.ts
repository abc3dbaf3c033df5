import { expect, it, describe } from 'vitest';
import { findRegExps, type FoundRegExp } from './find-regexps.js';
import { costOf } from './regexp-cost.js';

/*
 * Text of others must not be able to stop the process. Every regular expression in `src` is judged, those that are made at
 * run time included; what is more than linear, or cannot be judged, has to stand here with the reason why it may be there.
 * In most cases a loop from the end, `split`, `indexOf` or a glob of `src/util/glob.ts` does the same.
 */
const REVIEWED: readonly (readonly [file: string, text: string, reason: string])[] = [
  ['src/util/control-characters.ts', 'new RegExp(String.raw`[^', 'classes of characters, without a loop'],
  [
    'src/util/spell-text.ts',
    'new RegExp(`${base}',
    'made of classes that stand there; loops behind which nothing can fail (test/growth)',
  ],
  ['src/observe/secret-names.ts', "new RegExp( [ '(?:secrets?", 'made of words that stand there, without a loop'],
  ['src/request/endpoint.ts', 'new RegExp( `^(?:${[', 'made of texts that stand there; begins with ^, for a setting'],
  ...['path.matchAll(TOOL_INDEX)', 'words.match(', 'this.#message.matchAll(pattern)', 'this.match('].map(
    (text) =>
      ['src/request/refusals.ts', text, 'the literals above it, whose loops are counted, on 4,000 characters'] as const,
  ),
  ['src/search/tool-index.ts', 'this.#index.search(text)', 'the search of minisearch, which reads words'],
  ['src/observe/secret-names.ts', 'text.matchAll(look)', 'the literals above it'],
  [
    'src/tools/mcp/sdk-gaps/auth-gate.ts',
    'new RegExp(`(?:^|',
    'made of three names that stand there; loops that cannot meet',
  ],
  [
    'src/tools/schema/value-keywords.ts',
    "new RegExp(pattern, 'u')",
    "a developer's own pattern, held against a limited length of text",
  ],
  ['src/testing/replay/msw-handlers.ts', '/\\/*(?:\\/responses)?\\/*$/', 'a base URL in a test of the user'],
  [
    'src/testing/record/edits.ts',
    '/^data:.*$/gm',
    'cannot go on from where it failed: ^ needs a line end, . takes none',
  ],
  ['src/testing/record/edits.ts', 'line.matchAll(DELTA)', 'the literal above it'],
  ['src/cli/mcp/expand-variables.ts', 'value.matchAll(VARIABLE)', 'the literal above it'],
  [
    'src/testing/record/known-secrets.ts',
    'new RegExp( [ String.raw`',
    'made of texts that stand there; for recordings',
  ],
  ['src/testing/record/known-secrets.ts', 'text.match(FORMATS)', 'the expression above it'],
  ['src/testing/record/recording.ts', '/^[^=]*=|;.*$/gs', 'nothing can fail behind its loops'],
  ['src/testing/record/sealed.ts', 'new RegExp(`^(?:${SEALED})$`)', 'made of names that stand there'],
  ['src/testing/record/sealed.ts', 'new RegExp(`"(?:${SEALED})"', 'made of names that stand there; for recordings'],
  ['src/testing/record/sealed.ts', 'new RegExp(`(\\\\\\\\+)"', 'made of names that stand there; for recordings'],
  ['src/testing/record/sealed.ts', 'text.matchAll(pattern)', 'the expressions above it'],
  [
    'src/testing/response/reframe.ts',
    '/^event:.*\\n/gm',
    'cannot go on from where it failed: ^ needs a line end, . takes none',
  ],
  ['src/testing/replay/ignored-places.ts', 'new RegExp(String.raw`^(?!', 'places that a test names'],
  ['src/testing/replay/ignored-places.ts', '/"(?:[^"\\\\]|\\\\.)*"|', 'places that a test names'],
  ['src/testing/replay/ignored-places.ts', 'new RegExp(`^${escaped(place)', 'places that a test names, escaped'],
  ['src/testing/replay/ignored-places.ts', "place.replace(ROOT, '')", 'the literal above it'],
  ['src/testing/replay/ignored-places.ts', 'new RegExp(`^${NAME}$`)', 'a text that stands there'],
  ['src/testing/response/item-events.ts', '/\\s*\\S+|\\s+$/gu', "a script's own text"],
];

/** The same for the applications. */
const REVIEWED_IN_APPS: typeof REVIEWED = [
  ['examples/shared/web-text.ts', '/<meta[^>]', 'on 2,048 bytes (META_BYTES)'],
  ['examples/agent-runtime/src/demo-brain.ts', '', 'the stand-in, on what its user types'],
  ['examples/chat-server/page/lib/running-message.ts', '/^data: ', 'the first event of our own server'],
  ['examples/chat-server/src/chat/command-parser.ts', '/^\\/(?<name>', 'nothing can fail behind its loops'],
  ['examples/chat-server/src/chat/commands.ts', '/^["', 'on 800 characters'],
  ['examples/chat-server/src/chat/describe-error.ts', '/', 'on the first characters of an error (MAX_SEARCHED)'],
  ['examples/chat-server/page/lib/mark-words.ts', 'new RegExp(`(${any})`', 'letters alone: every sign is escaped'],
  ['examples/chat-server/src/export/file-name.ts', '/[. ]+$/u', 'on 80 characters'],
  ['examples/chat-server/src/search/search-chats.ts', "new RegExp(word, 'iu')", 'letters alone: every sign is escaped'],
  ['examples/chat-server/src/search/search-chats.ts', 'text.search(word)', 'the expressions above it'],
  ['examples/shared/pattern-job.ts', 'new RegExp(', 'in a thread that ends after five seconds'],
  ['examples/shared/form-fields.ts', 'new RegExp(', 'read alone, and never matched with a text'],
  ['examples/chat-server/src/chat/skill-selector.ts', '/^\\/skill', 'nothing can fail behind its loops'],
  [
    'examples/chat-server/src/chat/skill-selector.ts',
    '/^---',
    'on MAX_SKILL_CHARS; each step of the first loop fails at once, behind it nothing can',
  ],
  ['examples/chat-server/src/demo/scripts.ts', '/', 'the stand-in, on what its user types'],
  [
    'examples/coding-cli/src/custom/front-matter.ts',
    '/^description:',
    'each step of its loop fails at once at a line end',
  ],
  ['examples/coding-cli/src/custom/front-matter.ts', '/^([', 'begins with ^, one loop; on a line'],
  ['examples/coding-cli/src/demo-brain.ts', '/', 'the stand-in, on what its user types'],
  ['examples/coding-cli/src/demo/fix-tests.ts', '', 'the stand-in, on the files of its own demo'],
  ['examples/coding-cli/src/ui/completion/mcp.ts', '', 'on MAX_LINE of what the user types'],
  ['examples/coding-cli/src/ui/images.ts', '', 'on MAX_TEXT of what the user types'],
  ['examples/coding-cli/src/ui/slash-commands.ts', '/^', 'nothing can fail behind its loops; the line of the user'],
  ['examples/coding-cli/src/ui/markdown/highlight.ts', '/(<', 'on MAX_CHARS of code; each tag ends at >'],
  ['examples/coding-cli/src/ui/markdown/line-style.ts', '/^', 'on MAX_LINE_CHARS'],
  ['examples/coding-cli/src/ui/text-flow.ts', '/^', 'on MAX_LINE_CHARS'],
  ['examples/shared/loopback-guard.ts', 'new RegExp(`^(.*):', 'begins with ^, one loop; on a header'],
  ['examples/shared/open-model.ts', '/\\/responses(', "the user's own address"],
  ['examples/shared/plain-words.ts', 'new RegExp(', 'begin with ^; what their loops choose from begins differently'],
  ['examples/shared/awk-program.ts', '/\\/(?:', 'sticky; what its loop chooses from begins differently'],
  ['examples/shared/clean-environment.ts', '/^(GIT_', 'names of variables of the user'],
  ['examples/shared/command-rules.ts', '/"(?:', 'a quote that nothing closes is the last one that is looked for'],
  ['examples/shared/git-config.ts', '/(?:[ ', 'sticky; nothing can fail behind its loops'],
  ['examples/shared/git-formats.ts', 'new RegExp(', 'made of names that stand there; what their loop takes ends at %'],
  ['examples/shared/sed-script.ts', '/(?:[gpiIM]', 'sticky; nothing can fail behind its loop'],
  ['examples/shared/sed-script.ts', 'new RegExp(', 'sticky; what their loops choose from begins differently'],
  ['examples/shared/web-text.ts', '/<meta', 'on META_BYTES'],
  ['examples/shared/well-formed.ts', 'text.search(HALF)', 'the literal above it'],
];
const APP_FOLDERS = ['shared', 'agent-runtime/src', 'coding-cli/src', 'chat-server/src', 'chat-server/page'];

describe.each([
  ['src', ['src'], REVIEWED],
  ['the applications', APP_FOLDERS.map((folder) => `examples/${folder}`), REVIEWED_IN_APPS],
] as const)('regular expressions of %s', (_, folders, reviewed) => {
  const all = folders.flatMap((folder) => findRegExps(process.cwd(), folder));
  const risky = all.filter(({ literal }) => literal === undefined || !isLinear(literal));
  const isReviewed = ({ file, text }: FoundRegExp): boolean =>
    reviewed.some(([place, start]) => place === file && text.startsWith(start));

  it('run in linear time or are on the reviewed list', () => {
    expect(risky.filter((found) => !isReviewed(found)).map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it('on the list are still there', () => {
    const stale = reviewed.filter(
      ([place, start]) => !risky.some(({ file, text }) => place === file && text.startsWith(start)),
    );
    expect(stale.map(([place, start]) => `${place}: ${start}`)).toEqual([]);
  });
});

function isLinear({ source, flags }: NonNullable<FoundRegExp['literal']>): boolean {
  return costOf(source, flags) === 'linear';
}
