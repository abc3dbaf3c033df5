import { toBase64 } from '../util/bytes.js';
import { ESCAPES, readMeant, symbolsWritten } from './spelled-text.js';

/** So many characters of a secret in a row must not be seen. */
export const PIECE = 8;

/** One way to write a secret. */
export interface SecretPattern {
  readonly symbols: Uint8Array;
  /** How many symbols of words it begins with, which other texts may have too. Default 0. */
  readonly words?: number;
  /** Its pieces are found as what they mean; as they are written they could end inside an escape of the text. */
  readonly wholeOnly?: boolean;
}

/** Longer ones are sealed reasoning, which is not sent in base64 once more. */
const MAX_BASE64_CHARS = 1_000;
/** What its escapes mean may be shorter than a secret is, and stand in every text. */
const MIN_SYMBOLS = 4;

/** Every way to write a secret that reading escapes does not make the same. */
export function patternsOf(secret: string): SecretPattern[] {
  const sealed = base64Forms(secret).map((form) => ({ symbols: symbolsWritten(form) }));
  if (!ESCAPES.test(secret)) return [{ symbols: symbolsWritten(secret), words: wordSymbols(secret) }, ...sealed];
  const written = [secret, ...escapedForms(secret)].map((form) => ({ symbols: symbolsWritten(form), wholeOnly: true }));
  const meant = readMeant(secret).symbols;
  return [...written, ...sealed, ...(meant.length < MIN_SYMBOLS ? [] : [{ symbols: meant }])];
}

/** In JSON, in JSON within JSON, and in URLs: what looks like an escape itself may be read in more than one way. */
function escapedForms(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const forms = [inJson, JSON.stringify(inJson).slice(1, -1), new URLSearchParams([['', secret]]).toString().slice(1)];
  try {
    forms.push(encodeURIComponent(secret), encodeURI(secret));
  } catch {
    // Half a surrogate pair has no place in a URL.
  }
  return forms;
}

/** What stands for a secret in base64, whatever was in front of it and behind it. */
function base64Forms(secret: string): string[] {
  if (secret.length < PIECE || secret.length > MAX_BASE64_CHARS) return [];
  const bytes = new TextEncoder().encode(secret);
  const forms = [0, 1, 2].map((before) => {
    const whole = new Uint8Array(before + bytes.length);
    whole.set(bytes, before);
    // Characters that bits of its neighbours have a part in are no part of it.
    return toBase64(whole).slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
  });
  return [...new Set(forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]))];
}

const AFTER_MARK = /(?<=[\s\-_.:/=])/;
const WORD = /^(?:[A-Za-z][a-z]{0,9})?[\s\-_.:/=]?$/;

/**
 * Of `sk-proj-…`, `Bearer …` and all of `no-key-required`: the words that a secret begins with, or that it is. Random letters
 * have more than one case, or digits among them.
 */
function wordSymbols(secret: string): number {
  const parts = secret.split(AFTER_MARK);
  const end = parts.findIndex((part) => !WORD.test(part));
  return parts.slice(0, end < 0 ? parts.length : end).join('').length;
}
