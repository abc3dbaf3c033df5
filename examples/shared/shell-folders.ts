import { resolve } from 'node:path';
import type { CommandContext } from './command-harm.js';
import type { PlainCommand } from './parse-command.js';

const MAX_FOLDERS = 8;

/**
 * In which folders the commands of a text may run. A `cd` may fail, or may not be reached, so that the shell is from then on
 * in the old folder or in the new one.
 */
export class ShellFolders {
  readonly #guard: CommandContext['guard'];
  #all: readonly string[];

  constructor({ cwd, guard }: CommandContext) {
    this.#guard = guard;
    this.#all = [cwd];
  }

  get all(): readonly string[] {
    return this.#all;
  }

  /** Why it is not known where this `cd` leads, or that it leads outside; `undefined` if the shell may be there from now on. */
  change({ args, isPiped }: PlainCommand): string | undefined {
    const [folder, ...others] = args[0]?.value === '--' ? args.slice(1) : args;
    if (isPiped || folder === undefined || others.length > 0) return 'cd may lead out of the workspace';
    const { value, isGlob } = folder;
    if (isGlob || value === '' || value.startsWith('-')) return `cd ${value} does not name one folder`;
    const folders = new Set(this.#all);
    for (const from of this.#all) {
      const { path, isReadable } = this.#guard.resolve(value, from);
      if (!isReadable) return `${value} is outside of the workspace`;
      // The shell goes by names: behind a link, `cd ..` leads to another folder than the path `..`.
      if (path !== resolve(from, value)) return `${value} leads through a link`;
      folders.add(path);
    }
    if (folders.size > MAX_FOLDERS) return 'it goes to too many folders';
    this.#all = [...folders];
    return undefined;
  }
}
