import { absoluteFolder, userFolder } from 'responses-loop-example-shared/user-folders.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where settings lie. */
export function configDirOf(env: Environment): string {
  return absoluteFolder(env['CODER_HOME']) ?? userFolder('config', 'coder', env);
}

/** Where sessions lie. */
export function dataDirOf(env: Environment): string {
  return absoluteFolder(env['CODER_HOME']) ?? userFolder('data', 'coder', env);
}
