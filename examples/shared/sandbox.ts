import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mountsOf, openable, type SandboxPlace } from './sandbox-mounts.js';
import { SettingsError } from './settings-error.js';

export type { SandboxPlace } from './sandbox-mounts.js';

/** Whether commands run in a sandbox of the system: if there is one, never, or not without. */
export const ISOLATION = ['auto', 'off', 'required'] as const;
export type Isolation = (typeof ISOLATION)[number];

/** What commands run in, or why they do not. */
export interface Sandbox {
  readonly isOn: boolean;
  /** For the user, in a few words. */
  readonly label: string;
  /** Of paths outside of the roots, those that can be opened to a command, once a person has agreed to it. */
  openable(paths: readonly string[]): readonly string[];
  /** What stands in front of a command, with what is opened to it; nothing if it is off. */
  wrap(opened?: readonly string[]): readonly string[];
}

/** By its place: the workspace may hold a program of that name. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'];
const TRY_MS = 5000;
const MAX_REASON_CHARS = 200;

/**
 * Looks for bubblewrap and tries it as commands will be run.
 *
 * @throws SettingsError if it is required and does not work.
 */
export function createSandbox(wish: Isolation, place: SandboxPlace, bwrap = findBwrap()): Sandbox {
  if (wish === 'off') return without('off');
  const problem = bwrap === undefined ? missing() : problemOf(bwrap, place);
  if (problem === undefined && bwrap !== undefined) {
    return {
      isOn: true,
      label: labelOf(place),
      openable: (paths) => openable(paths, place),
      wrap: (opened = []) => [bwrap, ...argsOf(place, opened)],
    };
  }
  if (wish === 'required') throw new SettingsError(`--sandbox required: commands cannot be isolated: ${problem}.`);
  return without(`off: ${problem}`);
}

/** Commands run as they are. */
export function without(label: string): Sandbox {
  return { isOn: false, label, openable: () => [], wrap: () => [] };
}

function findBwrap(): string | undefined {
  return PLACES.find((path) => existsSync(path));
}

function missing(): string {
  return process.platform === 'linux'
    ? 'bubblewrap (bwrap) is not installed'
    : `bubblewrap runs on Linux only, and this is ${process.platform}`;
}

function argsOf(place: SandboxPlace, opened: readonly string[]): string[] {
  return [
    ...['--unshare-user-try', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(place.hasNetwork ? [] : ['--unshare-net']),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...mountsOf(place, opened),
    // They would lead to what is hidden.
    ...[
      'SSH_AUTH_SOCK',
      'SSH_AGENT_PID',
      'DBUS_SESSION_BUS_ADDRESS',
      'XDG_RUNTIME_DIR',
      'TMPDIR',
      'XAUTHORITY',
    ].flatMap((name) => ['--unsetenv', name]),
  ];
}

/** User namespaces may be forbidden, or a container may not permit a new `/proc`. */
function problemOf(bwrap: string, place: SandboxPlace): string | undefined {
  const { status, stderr, error } = spawnSync(bwrap, [...argsOf(place, []), '--', '/bin/sh', '-c', 'exit 0'], {
    cwd: '/',
    env: {},
    timeout: TRY_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  // Nothing is told of what was not started.
  const [line = ''] = ((stderr as string | null) ?? '').trim().split('\n');
  const reason = line.replace(/^bwrap: /, '').slice(0, MAX_REASON_CHARS);
  return `${bwrap} does not work here (${reason || (error?.message ?? `it ended with ${status}`)})`;
}

function labelOf({ isReadOnly = false, hasNetwork }: SandboxPlace): string {
  const files = isReadOnly ? 'nothing can be written' : 'only the workspace can be written';
  return `bubblewrap: ${files}, home is hidden, ${hasNetwork ? 'with the network' : 'no network'}`;
}
