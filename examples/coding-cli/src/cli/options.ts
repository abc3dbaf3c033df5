import { InvalidArgumentError } from 'commander';
import type { ModelFlags } from 'responses-loop-example-shared/open-model.js';

/** What every command takes. */
export interface GlobalOptions extends ModelFlags {
  readonly cd?: string;
  readonly addDir?: readonly string[];
  readonly approval?: string;
  readonly sandbox?: string;
  readonly maxTurns?: number;
  readonly allow?: readonly string[];
  readonly envFile?: string;
  readonly log?: string;
  /** `false` by `--no-project-doc`. */
  readonly projectDoc?: boolean;
  /** `false` by `--no-color`. */
  readonly color?: boolean;
  readonly quiet?: boolean;
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
    throw new InvalidArgumentError(`It has to be one of ${words.join(', ')}.`);
  };
}

export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && Number.isSafeInteger(value)) return value;
    throw new InvalidArgumentError(`It has to be a whole number from ${least} on.`);
  };
}

export function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
