import { ToolError } from '../tools/context.js';

export const BOM = '\ufeff';

/** A file of text, and what has to be the same when it is written again. */
export interface TextFile {
  readonly text: string;
  readonly hasBom: boolean;
}

/** @throws ToolError for what is no UTF-8: it could not be written back as it is. */
export function decodeText(content: Uint8Array, name: string): TextFile {
  if (isBinary(content))
    throw new ToolError(`${name} is a binary file (${content.length} bytes): it cannot be changed as text.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new ToolError(
      `${name} is not UTF-8, so it cannot be changed here without damage: use a command that knows its encoding.`,
    );
  }
  return text.startsWith(BOM) ? { text: text.slice(1), hasBom: true } : { text, hasBom: false };
}

export function encodeText({ text, hasBom }: TextFile): Buffer {
  return Buffer.from(hasBom ? BOM + text : text);
}

const SAMPLE = 8192;

/** As git guesses it. */
export function isBinary(content: Uint8Array): boolean {
  return content.subarray(0, SAMPLE).includes(0);
}
