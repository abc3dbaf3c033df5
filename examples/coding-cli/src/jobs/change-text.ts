import { editText, type LoosePlace, type TextEdit } from '../files/edit-text.js';
import { BOM, decodeText, encodeText } from '../files/text-file.js';

export interface ChangeTextInput {
  readonly before: Uint8Array;
  readonly edits: readonly TextEdit[];
  /** How errors call the file. */
  readonly name: string;
}

export interface ChangedText {
  readonly after: Uint8Array;
  readonly count: number;
  readonly loose: readonly LoosePlace[];
}

/** @throws ToolError if the file is no text, or a text to replace is not in it as it should be. */
export function changeText({ before, edits, name }: ChangeTextInput): ChangedText {
  const file = decodeText(before, name);
  // The file's own mark at its start is kept apart, so that the changed file has it once.
  const inFile = (text: string): string => (file.hasBom && text.startsWith(BOM) ? text.slice(BOM.length) : text);
  const wanted = edits.map((edit) => ({
    ...edit,
    oldString: inFile(edit.oldString),
    newString: inFile(edit.newString),
  }));
  const { text, count, loose } = editText(file.text, wanted, name);
  return { after: encodeText({ ...file, text }), count, loose };
}
