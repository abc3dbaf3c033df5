import { InvalidArgumentError } from 'commander';
import type { ModelFlags } from 'responses-loop-example-shared/open-model.js';
import { ISOLATION } from 'responses-loop-example-shared/sandbox.js';
import { SANDBOX } from '../protocol/settings.js';

/** What every command takes. */
export interface GlobalOptions extends ModelFlags {
  readonly cd?: string;
  readonly addDir?: readonly string[];
  readonly approval?: string;
  readonly plan?: boolean;
  readonly sandbox?: SandboxFlags;
  readonly sandboxNetwork?: boolean;
  readonly webSearch?: boolean;
  readonly maxTurns?: number;
  readonly price?: string;
  readonly allow?: readonly string[];
  readonly envFile?: string;
  readonly log?: string;
  /** `false` by `--no-project-doc`. */
  readonly projectDoc?: boolean;
  /** `false` by `--no-color`. */
  readonly color?: boolean;
  readonly quiet?: boolean;
}

/** What commands may do, and whether the system holds them to it: two settings of one flag. */
interface SandboxFlags {
  readonly mode?: string;
  readonly isolation?: string;
}

/** Which session goes on; neither: a new one. */
export interface SessionChoice {
  readonly resume?: string | undefined;
  readonly last?: boolean | undefined;
}

/** One of these words; hyphens are taken for underscores. */
export function oneOf(words: readonly string[]): (text: string) => string {
  return (text) => {
    const word = text.replaceAll('-', '_');
    if (words.includes(word)) return word;
    throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
  };
}

/** A word of either setting; given twice, the flag may say both. */
export function sandboxWord(text: string, before: SandboxFlags = {}): SandboxFlags {
  const word = oneOf([...SANDBOX.options, ...ISOLATION])(text);
  return (ISOLATION as readonly string[]).includes(word) ? { ...before, isolation: word } : { ...before, mode: word };
}

export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && Number.isSafeInteger(value)) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} on.`);
  };
}

export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
