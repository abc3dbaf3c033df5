import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const KINDS = {
  config: ['XDG_CONFIG_HOME', '.config'],
  data: ['XDG_DATA_HOME', '.local/share'],
  state: ['XDG_STATE_HOME', '.local/state'],
} as const;

/** Where an application keeps what it believes: with the user, never in a workspace, whose files come from anywhere. */
export function userFolder(kind: keyof typeof KINDS, app: string, env: Environment): string {
  const [variable, usual] = KINDS[kind];
  return join(absoluteFolder(env[variable]) ?? join(homeFolder(env), usual), app);
}

export function homeFolder(env: Environment): string {
  return absoluteFolder(env['HOME']) ?? homedir();
}

/** A relative folder, or one that is called nothing, would be in the workspace. */
export function absoluteFolder(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}
