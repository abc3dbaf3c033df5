import type { createLowlight } from 'lowlight';
import { loadGrammar } from './grammars.js';
import { type Token, tokensOf } from './tokens.js';

/** Longer code is shown plain: it would hold up the page. */
const MAX_CHARS = 50_000;

type Lowlight = ReturnType<typeof createLowlight>;
let engine: Promise<Lowlight> | undefined;

/** `undefined`: it stays plain, since it is long or its grammar cannot be loaded. */
export async function highlight(code: string, language: string): Promise<readonly Token[] | undefined> {
  if (code.length > MAX_CHARS) return undefined;
  try {
    engine ??= import('lowlight').then(({ createLowlight: create }) => create());
    const [lowlight, grammar] = await Promise.all([engine, loadGrammar(language)]);
    if (grammar === undefined) return undefined;
    if (!lowlight.registered(language)) lowlight.register(language, grammar);
    return tokensOf(lowlight.highlight(language, code));
  } catch {
    // A chunk that could not be loaded is asked for again with the next code.
    engine = undefined;
    return undefined;
  }
}
