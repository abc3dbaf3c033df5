import { lazy } from './lazy.js';

/**
 * What moves a terminal's cursor, gives orders to it, turns its text around or cannot be seen. Not line breaks and tabs, and
 * not the joiners of emoji and of Persian. A text, made an expression when it is first needed: of a literal the engine
 * collects the classes of characters when it reads the file, which took a tenth of importing this package.
 */
const controls = lazy(
  () => new RegExp(String.raw`[^\P{Cc}\n\t]|[^\P{Cf}\u200c\u200d]|[\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e01ef}]`, 'gu'),
);

/** What a model reads and no person sees: tags and selectors that spell hidden letters, and overrides of the direction. */
const HIDDEN = /[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e01ef}]/gu;

/**
 * A text of somebody else's as it may be shown in an error, a warning or on a terminal: control characters and invisible
 * ones are written out, so that they do nothing and can be seen.
 *
 * @example showControls('\u001b[2Jboom') // '\\u{1b}[2Jboom'
 */
export function showControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(controls(), (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}

/** The text without characters that hide what it says from people. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, '');
}
