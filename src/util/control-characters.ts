import { lazy } from './lazy.js';

/**
 * Characters that control a terminal, reverse its text or are invisible, except line breaks, tabs, and the joiners of
 * emoji and Persian. A string, compiled on first use: for a literal the engine collects the character classes while it
 * reads the file, which took a tenth of importing this package.
 */
const controls = lazy(
  () => new RegExp(String.raw`[^\P{Cc}\n\t]|[^\P{Cf}\u200c\u200d]|[\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e01ef}]`, 'gu'),
);

/** Characters that a model reads but no person sees: tags and selectors for hidden letters, and direction overrides. */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e01ef}]/gu;

/**
 * Returns foreign text that is safe in an error, a warning or on a terminal: control characters and invisible ones are
 * written out, so that they are harmless and visible.
 *
 * @example showControls('\u001b[2Jboom') // '\\u{1b}[2Jboom'
 */
export function showControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(controls(), (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}

/** Returns the text without characters that hide its meaning from people. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, '');
}
