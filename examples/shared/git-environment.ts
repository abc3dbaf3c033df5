import { type GitPlace, gitPlaceEnv } from './git-repository.js';

/**
 * The second line of defence: settings of a repository are on a list of harmless ones before git runs unasked, and these would
 * outdo others.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  'column.branch': 'never',
  'column.status': 'never',
  'column.tag': 'never',
  'column.ui': 'never',
  'core.alternateRefsCommand': 'false',
  'core.askPass': 'false',
  'core.attributesFile': '/dev/null',
  'core.editor': 'false',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  // Names packs by paths, which may lead anywhere.
  'core.multiPackIndex': 'false',
  'core.pager': 'cat',
  'core.sshCommand': 'false',
  // It names folders, as an index does.
  'core.untrackedCache': 'false',
  'credential.helper': '',
  'diff.external': '',
  'diff.ignoreSubmodules': 'dirty',
  'diff.orderFile': '/dev/null',
  'diff.submodule': 'short',
  'format.pretty': 'medium',
  'gpg.openpgp.program': 'false',
  'gpg.program': 'false',
  'gpg.ssh.allowedSignersFile': '/dev/null',
  'gpg.ssh.defaultKeyCommand': 'false',
  'gpg.ssh.program': 'false',
  'gpg.ssh.revocationFile': '/dev/null',
  'gpg.x509.program': 'false',
  'grep.fallbackToNoIndex': 'false',
  // Several threads find entries by a table of the index, which may name others than those that were looked at.
  'index.threads': '1',
  'log.diffMerges': 'separate',
  'log.showSignature': 'false',
  'mailmap.file': '/dev/null',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'stash.showIncludeUntracked': 'false',
  'stash.showPatch': 'false',
  'status.submoduleSummary': 'false',
  'submodule.recurse': 'false',
};

/**
 * Variables under which git reads the repository of this folder and no other settings than its own: filters and the like that
 * the user's settings name would take orders from the repository. It starts nothing, asks no server and writes no index.
 */
export function safeGitEnv(place: GitPlace, env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const settings = Object.entries({ ...SETTINGS, 'core.excludesFile': ignoreFileOf(env) });
  return {
    ...gitPlaceEnv(place),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // A repository with parts missing would fetch them, by a program of its choice.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** Where git looks for it without a setting. */
function ignoreFileOf({ HOME: home, XDG_CONFIG_HOME: folder }: Readonly<Record<string, string | undefined>>): string {
  if (folder !== undefined && folder !== '') return `${folder}/git/ignore`;
  return home === undefined || home === '' ? '/dev/null' : `${home}/.config/git/ignore`;
}
