import { basename, relative } from 'node:path';
import { diffOf } from 'responses-loop-example-shared/file-difference.js';
import { createGlob } from 'responses-loop-example-shared/glob.js';
import { hashOf } from 'responses-loop-example-shared/hash.js';
import { runCommand } from 'responses-loop-example-shared/run-command.js';
import type { z } from 'zod';
import { readIfThere } from '../files/read-file.js';
import type { ToolContext } from '../tools/context.js';
import { prepareCommand } from '../tools/prepare-command.js';
import type { HOOK } from './schema.js';

export type Hook = z.infer<typeof HOOK>;

const TIMEOUT_MS = 60_000;
const MAX_CHARS = 4_000;

/** Told about a hook that failed. */
export type OnFailure = (command: string, why: string) => void;

/** Commands of the user that run behind an edit, such as a formatter or a test. Their outputs go to the model. */
export class Hooks {
  readonly #hooks: readonly Hook[];
  readonly #onFailure: OnFailure;

  constructor(hooks: readonly Hook[], onFailure: OnFailure) {
    this.#hooks = hooks;
    this.#onFailure = onFailure;
  }

  get isEmpty(): boolean {
    return this.#hooks.length === 0;
  }

  /** Runs those for these files (real paths), one after another. Returns what the model reads of it; empty: nothing. */
  async run(paths: readonly string[], context: ToolContext): Promise<string> {
    const told: string[] = [];
    for (const path of paths) {
      for (const hook of this.#hooks) {
        if (context.signal.aborted) return told.join('\n');
        if (fits(hook.files, path, context.cwd)) told.push(await this.#runOne(hook, path, context));
      }
    }
    return told.join('\n');
  }

  async #runOne({ run: command, timeoutMs = TIMEOUT_MS }: Hook, path: string, context: ToolContext): Promise<string> {
    const { extra, cwd, signal } = context;
    const before = await readIfThere(path);
    if (before !== undefined) await extra.checkpoints.keep(before);
    // Nobody is asked: the user's own settings name it.
    const prepared = prepareCommand(command, undefined, { ...context, judgeAgain: undefined });
    const env = { ...prepared.env, FILE: path };
    const result = await runCommand({ ...prepared, env, timeoutMs, signal, maxChars: MAX_CHARS });
    const change = await noteChange(path, before, context);
    const name = relative(cwd, path);
    if (result.exitCode === 0) return `[after the edit: ${command} (${name}) passed]${change}`;
    const why = result.ended === 'timeout' ? `ended after ${timeoutMs} ms` : `exit code ${result.exitCode}`;
    if (result.ended !== 'abort') this.#onFailure(command, `${name}: ${why}`);
    return `[after the edit: ${command} (${name}) failed: ${why}]\n${result.output}${change}`;
  }
}

/** A pattern without a slash fits the name of a file in any folder. */
function fits(pattern: string, path: string, cwd: string): boolean {
  const text = pattern.includes('/') ? relative(cwd, path) : basename(path);
  return createGlob(pattern, { style: 'files' }).matches(text);
}

/** The model reads what the command made of its file, so it has seen it. */
async function noteChange(path: string, before: Buffer | undefined, { extra, cwd }: ToolContext): Promise<string> {
  const after = await readIfThere(path);
  if (before === undefined || after === undefined || before.equals(after)) return '';
  const [old, now] = [hashOf(before), hashOf(after)];
  extra.report({ type: 'file_change', change: { path, before: old, after: now } });
  extra.stamps.keep(path, now);
  const diff = diffOf([{ path, name: relative(cwd, path), before, after }]);
  return `\nIt changed the file:\n${diff?.text ?? '(the difference is too long: read it again)'}`;
}
