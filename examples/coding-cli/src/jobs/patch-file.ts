import type { PatchPart } from '../files/parse-patch.js';
import { patchText } from '../files/patch-text.js';
import { decodeText, encodeText } from '../files/text-file.js';

export interface PatchFileInput {
  readonly before: Uint8Array;
  readonly parts: readonly PatchPart[];
  readonly name: string;
}

/** @throws ToolError if the file is no text, or lines of the patch are not in it. */
export function patchFile({ before, parts, name }: PatchFileInput): Uint8Array {
  const file = decodeText(before, name);
  return encodeText({ ...file, text: patchText(file.text, parts, name) });
}
