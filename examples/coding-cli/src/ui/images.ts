import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statSync } from 'node:fs';

/** By its end a path may be one of an image; its content decides when it is read. */
const IMAGE_PATH = /\.(png|jpe?g|gif|webp)$/i;
const MAX_PATH = 4_096;
/** Paths are looked for in so much of a message. */
const MAX_TEXT = 10_000;

/**
 * The file that a text names, if it is nothing but the path of an image that is there: as it is, in quotes, with the blanks
 * escaped as terminals do it, or as a `file:` address.
 */
export function imagePathIn(text: string, cwd: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_PATH || trimmed.includes('\n')) return undefined;
  return spellingsOf(trimmed)
    .filter((path) => IMAGE_PATH.test(path))
    .map((path) =>
      path.startsWith('~/') ? join(homedir(), path.slice(2)) : isAbsolute(path) ? path : resolve(cwd, path),
    )
    .find(isFile);
}

/** Paths of images that are words of a message, each once. */
export function imagePathsIn(text: string, cwd: string): readonly string[] {
  const words = text.slice(0, MAX_TEXT).match(/'[^'\n]+'|"[^"\n]+"|(?:\\.|[^\s'"])+/g) ?? [];
  return [...new Set(words.flatMap((word) => imagePathIn(word.replace(/^@|[.,;:!?)]+$/g, ''), cwd) ?? []))];
}

function spellingsOf(text: string): readonly string[] {
  const [, quoted] = /^(?:'([^']*)'|"([^"]*)")$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  if (quoted !== undefined) return [quoted];
  return [text, text.replace(/\\(.)/g, '$1'), ...addressOf(text)];
}

function addressOf(text: string): readonly string[] {
  try {
    return text.startsWith('file://') ? [fileURLToPath(text)] : [];
  } catch {
    return []; // It is one of another machine.
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Images of messages: a chip stands for each in the input. They stay, for messages that are taken back or said again. */
export class Images {
  readonly #paths = new Map<string, string>();

  add(path: string): string {
    const [known] = [...this.#paths].find(([, one]) => one === path) ?? [];
    const chip = known ?? `[Image ${this.#paths.size + 1}]`;
    this.#paths.set(chip, path);
    return chip;
  }

  /** The files that a message brings along: of its chips, in their order. */
  of(text: string): readonly string[] {
    const chips = text.match(/\[Image \d+\]/g) ?? [];
    return [...new Set(chips.flatMap((chip) => this.#paths.get(chip) ?? []))];
  }
}
