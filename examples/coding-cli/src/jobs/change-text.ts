import { editText, type TextEdit } from '../files/edit-text.js';
import { BOM, decodeText, encodeText } from '../files/text-file.js';

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
  // The file's own mark at its start is kept apart, so that the changed file has it once.
  const inFile = (text: string): string => (file.hasBom && text.startsWith(BOM) ? text.slice(BOM.length) : text);
  const wanted = { ...edit, oldString: inFile(edit.oldString), newString: inFile(edit.newString) };
  const { text, count } = editText(file.text, wanted);
  return { after: encodeText({ ...file, text }), count };
}
