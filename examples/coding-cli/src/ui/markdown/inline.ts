import { Lexer, type Token } from 'marked';
import type { Look, Span } from '../rows.js';

/** A piece of a line as it is shown, and where its source ends. */
export interface Piece {
  readonly span: Span;
  /** Offset in the source. */
  readonly end: number;
  /** Whether its text is its source, letter for letter, so that a row may end inside of it. */
  readonly isPlain: boolean;
}

/** Longer lines keep their marks: the lexer takes time with the square of the length. */
const MAX_LEXED = 2_000;
const LINKABLE = new Set(['http:', 'https:', 'mailto:']);

/** Emphasis, code and links of one line of Markdown. */
export function inlinePieces(source: string, look: Look): Piece[] {
  if (source.length > MAX_LEXED) return [plainPiece(source, look, source.length)];
  let end = 0;
  return Lexer.lexInline(source, { gfm: true }).flatMap((token) => {
    end += token.raw.length;
    return token.type === 'text' && !hasParts(token)
      ? [plainPiece(token.raw, look, end)]
      : spansOf(token, look).map((span) => ({ span, end, isPlain: false }));
  });
}

export function inlineSpans(source: string, look: Look): Span[] {
  return inlinePieces(source, look).map(({ span }) => span);
}

/** Spans of tokens that the lexer has made already, as in the cells of a table. */
export function spansOfTokens(tokens: readonly Token[], look: Look): Span[] {
  return tokens.flatMap((token) => spansOf(token, look));
}

function plainPiece(text: string, look: Look, end: number): Piece {
  return { span: { text, ...look }, end, isPlain: true };
}

function hasParts(token: Token): boolean {
  return 'tokens' in token && Array.isArray(token.tokens) && token.tokens.length > 0;
}

function spansOf(token: Token, look: Look): Span[] {
  switch (token.type) {
    case 'strong':
      return spansOfTokens(token.tokens ?? [], { ...look, bold: true });
    case 'em':
      return spansOfTokens(token.tokens ?? [], { ...look, italic: true });
    case 'del':
      return spansOfTokens(token.tokens ?? [], { ...look, strike: true });
    case 'codespan':
      return [{ text: (token as { text: string }).text, ...look, color: 'cyan' }];
    case 'escape':
      return [{ text: (token as { text: string }).text, ...look }];
    case 'link':
    case 'image':
      return linkSpans(token as { href: string; text: string; tokens?: Token[] }, look);
    case 'text':
      return hasParts(token)
        ? spansOfTokens((token as { tokens: Token[] }).tokens, look)
        : [{ text: token.raw, ...look }];
    default:
      return [{ text: token.raw, ...look }];
  }
}

/** The address is shown behind a text that could hide it. */
function linkSpans({ href, text, tokens = [] }: { href: string; text: string; tokens?: Token[] }, look: Look): Span[] {
  const link = addressOf(href);
  const shown = tokens.length > 0 ? spansOfTokens(tokens, look) : [{ text, ...look }];
  if (link === undefined) return [...shown, ...(href === text ? [] : [{ text: ` (${href})`, ...look, dim: true }])];
  const spans = shown.map((span) => ({ ...span, color: 'blue' as const, link }));
  const isOpen =
    [href, link, `mailto:${text}`].includes(text) || link === `mailto:${text}` || href === `http://${text}`;
  return isOpen ? spans : [...spans, { text: ` (${href})`, ...look, dim: true, link }];
}

/** An address that a terminal may open, percent-encoded, so that no character of it can end the link. */
function addressOf(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return LINKABLE.has(url.protocol) && /^[\x21-\x7e]+$/.test(url.href) ? url.href : undefined;
}
