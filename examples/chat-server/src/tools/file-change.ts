import { isUtf8 } from 'node:buffer';
import { type Change, diffOf, fingerprintOf, hashOrNull } from 'responses-loop-example-shared/file-difference.js';
import type { ShownChange } from '../approval/shown-change.js';
import type { ShownFile } from './replace-file.js';
import { fileError, type FilePlace, readIfThere } from './workspace-files.js';

/** The file that a call writes. */
export interface WriteTarget extends FilePlace {
  /** The file in the workspace, if the path leads there through a link. */
  readonly linkedTo?: string | undefined;
  /** All that it is to hold. Absent: that is made after the answer. */
  readonly content?: string | undefined;
}

/** A file as it is found. */
export interface FileState extends ShownFile {
  /** See `ShownChange`. */
  readonly fingerprint: string;
}

/** So that a question stays one that a page can show. */
const MAX_DIFF_LINES = 20_000;

export async function findState(target: WriteTarget): Promise<FileState> {
  return stateOf(await changeTo(target));
}

/** What a person is shown of it. */
export async function findChange(target: WriteTarget): Promise<ShownChange> {
  const change = await changeTo(target);
  const { bytes, fingerprint } = stateOf(change);
  const fate = change.before === undefined ? 'added' : 'changed';
  const hunks = fate === 'changed' && target.content !== undefined ? shortDifference(change) : undefined;
  const notes = [...linkNote(target), ...(hunks === undefined ? hiddenNote(target, change) : [])];
  const file = {
    path: target.path,
    fate,
    hunks: hunks?.length ?? 0,
    ...(notes.length > 0 && { note: notes.join(' ') }),
  } as const;
  return { files: [file], ...(hunks && { hunks }), fingerprint, ...(bytes !== undefined && { bytes }) };
}

async function changeTo({ real, path, content }: WriteTarget): Promise<Change> {
  try {
    const after = content === undefined ? undefined : Buffer.from(content);
    return { path: real, name: path, before: await readIfThere({ real, path }), after };
  } catch (error) {
    throw fileError(error, path);
  }
}

function stateOf(change: Change): FileState {
  const { path, before } = change;
  return { real: path, hash: hashOrNull(before), bytes: before?.length, fingerprint: fingerprintOf([change]) };
}

function shortDifference(change: Change): ShownChange['hunks'] {
  const hunks = diffOf([change])?.hunks;
  return hunks !== undefined && hunks.flat().length <= MAX_DIFF_LINES ? hunks : undefined;
}

function linkNote({ linkedTo }: WriteTarget): string[] {
  return linkedTo === undefined ? [] : [`The path is a link: the file is ${linkedTo}.`];
}

function hiddenNote({ content }: WriteTarget, { before }: Change): string[] {
  if (before === undefined) return content === undefined ? ['The content is generated after you answer.'] : [];
  const all = `The file exists and has ${before.length.toLocaleString('en')} bytes. All of it is replaced`;
  if (content === undefined) return [`${all} with content that is generated after you answer.`];
  const isText = isUtf8(before) && !before.includes(0);
  return [
    `${all}. ${isText ? 'The change is too long to be shown.' : 'They are not text, so the change cannot be shown.'}`,
  ];
}
