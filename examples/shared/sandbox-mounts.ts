import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isWithin, realFolder } from './path-guard.js';

/** What a command may see and change. All are real paths. */
export interface SandboxPlace {
  /** Folders that can be written, unless `isReadOnly`. */
  readonly roots: readonly string[];
  readonly isReadOnly?: boolean | undefined;
  /** What of the applications nobody may see: keys, chats, grants. */
  readonly hidden: readonly string[];
  /** Can be read, though they may lie in a hidden folder. */
  readonly readable?: readonly string[] | undefined;
  readonly hasNetwork: boolean;
  /** `PATH`, whose folders below the home folder can be read. */
  readonly path: string;
  /** Default: of the user. */
  readonly home?: string | undefined;
}

interface Mount {
  readonly at: string;
  readonly kind: 'read' | 'write' | 'empty' | 'nothing';
}

/** Bubblewrap leaves the settings of the kernel to root on some of them. */
const BASE = [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  ...['/proc/sys', '/proc/sysrq-trigger'].flatMap((path) => ['--ro-bind-try', path, path]),
];
/** Sockets of the desktop and of services lie there, and what other programs left. */
const PRIVATE = ['/tmp', '/var/tmp', '/run'];
/** Programs and libraries of NixOS. */
const RUN_NEEDED = ['/run/systemd/resolve', '/run/resolvconf', '/run/current-system', '/run/opengl-driver'];
/** Can be read anyway, and is never opened to be written. */
const SYSTEM =
  '/bin /boot /dev /etc /lib /lib32 /lib64 /nix /opt /proc /run /sbin /snap /sys /usr /var/lib /var/run /var/cache'.split(
    ' ',
  );
/** Git and the applications run what these say, outside of the sandbox too. */
const PROTECTED = ['.git/hooks', '.git/config', '.git/modules', '.coder'];
/** For a root that holds the home folder, which cannot be hidden then. */
const KEYS = (
  '.ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh .config/op .netrc .npmrc .pypirc .git-credentials ' +
  '.cargo/credentials.toml .cargo/credentials .gem/credentials .password-store .local/share/keyrings .mozilla .config/google-chrome ' +
  '.config/chromium .bash_history .zsh_history .vault-token .terraform.d .config/coder .local/share/coder .local/state/chat-server'
).split(' ');
/** What programs of a folder in `PATH` need beside them. Where keys may lie, only what holds none is named. */
const TOOLCHAINS: Readonly<Record<string, readonly string[]>> = {
  '.cargo': ['.cargo/bin', '.cargo/registry', '.cargo/git', '.rustup'],
  '.local': [
    '.local/bin',
    '.local/lib',
    '.local/share/pipx/venvs',
    '.local/share/uv/tools',
    '.local/share/uv/python',
    '.local/share/mise/installs',
    '.local/share/mise/shims',
  ],
  '.bun': ['.bun/bin', '.bun/install/global'],
  '.npm-global': ['.npm-global/bin', '.npm-global/lib'],
  go: ['go/bin', 'go/pkg'],
  ...Object.fromEntries(
    (
      '.nvm .volta .deno .pyenv .rbenv .rvm .nodenv .asdf .sdkman .fnm .jenv .goenv .ghcup .opam .nodebrew .n .dotnet ' +
      '.linuxbrew miniconda3 anaconda3 miniforge3 .pixi .juliaup .swiftly .elan .moon .proto'
    )
      .split(' ')
      .map((name) => [name, [name]]),
  ),
};

/** How the file system looks from inside, as arguments of bubblewrap: parents before what lies in them. */
export function mountsOf(place: SandboxPlace, opened: readonly string[]): string[] {
  for (const root of place.roots) makeHooksFolder(join(root, '.git'));
  const homes = homesOf(place);
  const changeable = (at: string): Mount => ({ at, kind: place.isReadOnly === true ? 'read' : 'write' });
  const mounts: Mount[] = [
    ...PRIVATE.filter(isFolder).map((at): Mount => ({ at: realFolder(at), kind: 'empty' })),
    // Where names of the network are looked up, and programs may lie.
    ...RUN_NEEDED.flatMap((path) => realFolder(path))
      .filter(isFolder)
      .map(readOnly),
    ...homes.map((at): Mount => ({ at, kind: 'empty' })),
    ...homes.flatMap((home) => toolchains(home, place.path)).map(readOnly),
    ...place.roots.map(changeable),
    ...place.roots
      .map((root) => join(root, '.git'))
      .filter(isReal)
      // A mount of its own, so that it cannot be renamed. A file says where the repository is.
      .map((git) => (isFolder(git) ? changeable(git) : readOnly(git))),
    ...place.roots.flatMap((root) => PROTECTED.map((name) => join(root, name)).filter(isReal)).map(readOnly),
    ...homes.flatMap((home) => keysIn(home, place.roots)).map(masked),
    ...place.hidden.filter(isThere).map(masked),
    ...(place.readable ?? []).filter(isThere).map(readOnly),
    ...opened.filter(isThere).map(changeable),
  ];
  // Sorting is stable: of two at one place the later one holds.
  return BASE.concat(mounts.toSorted((a, b) => depthOf(a.at) - depthOf(b.at)).flatMap(argsOf));
}

/** A folder that is not there cannot be mounted, and a command could make it: git runs what lies in it. */
function makeHooksFolder(git: string): void {
  const hooks = join(git, 'hooks');
  if (!isReal(git) || !isFolder(git) || lstatSync(hooks, { throwIfNoEntry: false }) !== undefined) return;
  try {
    mkdirSync(hooks);
  } catch {
    // If the folder takes nothing from us, it takes nothing from the command.
  }
}

/** Of what a command names outside of the roots, what may be opened to it: nothing that holds homes or the system. */
export function openable(paths: readonly string[], { roots, hidden, home }: SandboxPlace): string[] {
  const kept = [...homesOf({ home }), ...PRIVATE, ...roots, ...hidden];
  return paths.filter(
    (path) =>
      isThere(path) &&
      !kept.some((folder) => isWithin(folder, path)) &&
      ![...roots, ...hidden, ...SYSTEM].some((folder) => isWithin(path, folder)),
  );
}

/** Of the user, by the variable and by the system. */
function homesOf({ home = homedir() }: Pick<SandboxPlace, 'home'>): string[] {
  const all = [home, ...homeBySystem()].filter((path) => isAbsolute(path)).map(realFolder);
  return [...new Set(all)].filter((path) => isFolder(path) && dirname(path) !== path);
}

/** A user of a container may have no entry. */
function homeBySystem(): string[] {
  try {
    return [userInfo().homedir];
  } catch {
    return [];
  }
}

function toolchains(home: string, path: string): string[] {
  const folders = path.split(':').filter((folder) => isAbsolute(folder));
  const found = folders
    .flatMap((folder) => [folder, realFolder(folder)])
    .filter((folder) => isWithin(folder, home) && folder !== home)
    .flatMap((folder) => {
      const [first = ''] = relative(home, folder).split(sep);
      const beside = Object.hasOwn(TOOLCHAINS, first) ? (TOOLCHAINS[first] ?? []) : [];
      return [folder, ...beside.map((name) => join(home, name))];
    });
  const real = [...new Set(found)].filter(isReal);
  return real.filter((folder) => !real.some((other) => other !== folder && isWithin(folder, other)));
}

function keysIn(home: string, roots: readonly string[]): string[] {
  return roots.some((root) => isWithin(home, root)) ? KEYS.map((name) => join(home, name)).filter(isReal) : [];
}

function argsOf({ at, kind }: Mount): string[] {
  if (kind === 'empty') return ['--tmpfs', at];
  if (kind === 'nothing') return ['--ro-bind', '/dev/null', at];
  return [kind === 'read' ? '--ro-bind' : '--bind', at, at];
}

function readOnly(at: string): Mount {
  return { at, kind: 'read' };
}

function masked(at: string): Mount {
  return { at, kind: isFolder(at) ? 'empty' : 'nothing' };
}

function depthOf(path: string): number {
  return path === sep ? 0 : path.split(sep).length;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A link in its place would be followed. */
function isReal(path: string): boolean {
  return isThere(path) && realFolder(path) === path;
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
