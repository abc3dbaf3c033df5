import { editText, type TextEdit } from '../files/edit-text.js';
import { decodeText, encodeText } from '../files/text-file.js';

export interface ChangeTextInput {
  readonly before: Uint8Array;
  readonly edit: TextEdit;
}

export interface ChangedText {
  readonly after: Uint8Array;
  readonly count: number;
}

/** @throws ToolError if the file is no text, or the text to replace is not in it as it should be. */
export function changeText({ before, edit }: ChangeTextInput): ChangedText {
  const file = decodeText(before, edit.name);
  const { text, count } = editText(file.text, edit);
  return { after: encodeText({ ...file, text }), count };
}
