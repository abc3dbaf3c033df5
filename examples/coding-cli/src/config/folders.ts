import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where settings lie. Not in the workspace: a folder from elsewhere must not say where a key is sent. */
export function configDirOf(env: Environment): string {
  return absolute(env['CODER_HOME']) ?? join(absolute(env['XDG_CONFIG_HOME']) ?? join(homeOf(env), '.config'), 'coder');
}

/** Where sessions lie. */
export function dataDirOf(env: Environment): string {
  return (
    absolute(env['CODER_HOME']) ?? join(absolute(env['XDG_DATA_HOME']) ?? join(homeOf(env), '.local', 'share'), 'coder')
  );
}

function homeOf(env: Environment): string {
  return absolute(env['HOME']) ?? homedir();
}

/** A relative folder, or one that is called nothing, would be in the workspace. */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}
