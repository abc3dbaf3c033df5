/** A setting as it stands in a file of git's settings. */
export interface GitSetting {
  /** `section.key`, or `section.subsection.key`. Section and key are in lower case. */
  readonly name: string;
  /** The same with `*` in place of the subsection. */
  readonly kind: string;
  /** A key without `=` is true. */
  readonly value: string;
}

const SECTION = /\[(?<section>[A-Za-z0-9-]+)(?:[ \t]+"(?<sub>(?:[^"\\\n]|\\[^\n])*)")?\]/y;
const KEY = /(?<key>[A-Za-z][A-Za-z0-9-]*)[ \t]*(?<sign>=|(?=\n|$))/y;
const BLANK = /(?:[ \t\n]|[#;][^\n]*)+/y;
const VALUE = /(?<blank>[ \t]+)|(?<fold>\\\n)|\\(?<escaped>["\\tnb])|(?<quote>")|(?<end>\n|$)|(?<other>[^\\"\n])/y;
const ESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', b: '\b' };

/**
 * Reads settings as git does, or returns what it could not read. Forms that git reads and nobody writes, such as `[a.b]`, are
 * refused.
 */
export function parseGitConfig(source: string): readonly GitSetting[] | string {
  const text = source.replaceAll('\r\n', '\n');
  // oxlint-disable-next-line no-control-regex -- git reads some of them in ways of its own
  if (/[\0-\x08\x0b-\x1f\x7f\ufeff]/.test(text)) return 'it holds control characters';
  const settings: GitSetting[] = [];
  let section: { readonly name: string; readonly sub: string | undefined } | undefined;
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  for (;;) {
    take(BLANK);
    if (at >= text.length) return settings;
    const start = at;
    const header = take(SECTION)?.groups;
    if (header !== undefined) {
      section = { name: header['section']?.toLowerCase() ?? '', sub: header['sub']?.replaceAll(/\\(.)/g, '$1') };
      continue;
    }
    const found = section && take(KEY)?.groups;
    const value = found?.['sign'] === '' ? { text: 'true', end: at } : found && readValue(text, at);
    if (section === undefined || found === undefined || value === undefined) {
      return `line ${text.slice(0, start).split('\n').length} is not understood`;
    }
    at = value.end;
    const key = found['key']?.toLowerCase() ?? '';
    const middle = (sub: string): string => (section?.sub === undefined ? '' : `${sub}.`);
    settings.push({
      name: `${section.name}.${middle(section.sub ?? '')}${key}`,
      kind: `${section.name}.${middle('*')}${key}`,
      value: value.text,
    });
  }
}

/** Blanks count between words and inside of quotes. A comment ends the value, a backslash continues it on the next line. */
function readValue(text: string, from: number): { readonly text: string; readonly end: number } | undefined {
  let value = '';
  let blanks = '';
  let isQuoted = false;
  for (let at = from; ; at = VALUE.lastIndex) {
    VALUE.lastIndex = at;
    const groups = VALUE.exec(text)?.groups;
    if (groups === undefined) return undefined;
    const { blank, fold, escaped, quote, end, other } = groups;
    const isComment = !isQuoted && (other === '#' || other === ';');
    if (end !== undefined || isComment) {
      if (isQuoted) return undefined;
      const line = text.indexOf('\n', at);
      return { text: value, end: line === -1 ? text.length : line + 1 };
    }
    if (fold !== undefined) continue;
    if (blank !== undefined && !isQuoted) {
      if (value !== '') blanks += blank;
      continue;
    }
    if (quote !== undefined) isQuoted = !isQuoted;
    const letter = escaped === undefined ? (blank ?? other ?? '') : (ESCAPED[escaped] ?? escaped);
    value += letter === '' ? '' : blanks + letter;
    if (letter !== '') blanks = '';
  }
}

const ANY = /^/;
const FLAG = /^(true|false|yes|no|on|off|0|1)$/i;
const WORD = /^[\w-]*$/;
const NUMBER = /^\d{1,9}[kmg]?$/i;
const LINE_ENDS = /^(true|false|input|auto|native|lf|crlf|warn)$/i;

/** Settings that start nothing and name no file that git would read, each with the values that are as harmless. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  ...listed(
    FLAG,
    'core.{filemode,ignorecase,precomposeunicode,symlinks,trustctime,quotepath,preloadindex,longpaths,protecthfs,protectntfs,' +
      'commitgraph,multipackindex,sparsecheckout,sparsecheckoutcone,usereplacerefs}',
  ),
  // Hooks are switched off, as is the cache of files that are not tracked.
  ...listed(ANY, 'core.hookspath'),
  ...listed(WORD, 'core.untrackedcache'),
  ...listed(/^(false|no|off|0)$/i, 'core.fsmonitor'),
  // A bare repository has no files of its own, so `GIT_WORK_TREE` would contradict it.
  ...listed(/^(false|no|off|0)$/i, 'core.bare'),
  ...listed(/^files$/, 'extensions.refstorage'),
  ...listed(/^[01]$/, 'core.repositoryformatversion lfs.repositoryformatversion'),
  ...listed(/^(true|false|always)$/i, 'core.logallrefupdates'),
  ...listed(LINE_ENDS, 'core.{autocrlf,safecrlf,eol}'),
  ...listed(WORD, 'core.{checkstat,sharedrepository,abbrev} color.ui extensions.objectformat'),
  ...listed(
    NUMBER,
    'core.{compression,loosecompression,bigfilethreshold,packedgitlimit,packedgitwindowsize} http.postbuffer',
  ),
  ...listed(ANY, 'user.{name,email,signingkey} author.{name,email} committer.{name,email}'),
  ...listed(ANY, 'remote.*.{url,fetch,pushurl,push}'),
  ...listed(WORD, 'remote.*.{tagopt,prune,prunetags,gh-resolved,skipdefaultupdate,skipfetchall} remote.pushdefault'),
  ...listed(
    ANY,
    'branch.*.{remote,merge,pushremote,description,vscode-merge-base,gh-merge-base,github-pr-owner-number,github-pr-base-branch}',
  ),
  ...listed(WORD, 'branch.*.rebase branch.autosetuprebase branch.autosetupmerge'),
  // `submodule.*.update` may be a command: `!…`.
  ...listed(ANY, 'submodule.*.url submodule.active'),
  ...listed(WORD, 'submodule.*.active submodule.*.update'),
  ...listed(WORD, 'diff.{algorithm,renames,renamelimit,mnemonicprefix,noprefix,colormoved} status.showuntrackedfiles'),
  // Read only by other programs, or by a command that asks a server.
  ...listed(
    ANY,
    'http.*.extraheader gui.{wmstate,geometry} gitflow.*.{master,develop,feature,bugfix,release,hotfix,support,versiontag}',
  ),
  // Read only by commands that change something, and these are asked about.
  ...listed(
    WORD,
    'pull.{rebase,ff} push.{default,autosetupremote,followtags,gpgsign} fetch.{prune,prunetags,parallel,writecommitgraph} ' +
      'merge.{ff,conflictstyle,autostash} rebase.{autosquash,autostash,updaterefs} rerere.{enabled,autoupdate} ' +
      'commit.{gpgsign,verbose} tag.gpgsign gc.{auto,autodetach,autopacklimit} maintenance.auto init.defaultbranch ' +
      'receive.{denycurrentbranch,denynonfastforwards} lfs.*.{access,locksverify}',
  ),
};

/** `a.{b,c} d.e` names three keys. */
function listed(values: RegExp, keys: string): Record<string, RegExp> {
  const names = keys.split(' ').flatMap((key) => {
    const [start = '', list] = key.split('{');
    return list === undefined
      ? [key]
      : list
          .slice(0, -1)
          .split(',')
          .map((name) => start + name);
  });
  return Object.fromEntries(names.map((name) => [name, values]));
}

/** Why these settings may start something or lead elsewhere: the first that is not known to be harmless. */
export function settingProblem(settings: readonly GitSetting[]): string | undefined {
  const odd = settings.find(
    ({ kind, value }) => !Object.hasOwn(HARMLESS, kind) || HARMLESS[kind]?.test(value) !== true,
  );
  if (odd === undefined) return undefined;
  return Object.hasOwn(HARMLESS, odd.kind)
    ? `it sets ${odd.name} to ${JSON.stringify(odd.value)}, which is not known to be harmless`
    : `it sets ${odd.name}, which is not known to be harmless`;
}
