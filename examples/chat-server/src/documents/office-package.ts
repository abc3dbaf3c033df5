import { unzipSync, zipSync } from 'fflate';
import { DOCUMENT_KINDS, type DocumentKind } from './document-kinds.js';

/** What is wrong with a document, as the rest of a sentence that begins with its name. */
export class DocumentError extends Error {}

/** Text, styles and links. Pictures, fonts and macros are left out. */
const READ = /^(?:\[Content_Types\]\.xml|[\w./ -]+\.(?:xml|rels))$/;
const MAX_PARTS = 5_000;
const MAX_UNPACKED_BYTES = 50_000_000;

/** The last cell of a sheet of Excel is XFD1048576. */
const LAST = { letters: 3, column: 16_384, row: 1_048_576 };

const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** Of files of Word and Excel up to 2003, and of those with a password. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];

/**
 * The document packed anew, without compression and with nothing but what is read: its real size is known before a library
 * opens it.
 *
 * @throws DocumentError
 */
export function repack(bytes: Uint8Array, kind: DocumentKind): Uint8Array<ArrayBuffer> {
  if (startsWith(bytes, COMPOUND)) {
    throw new DocumentError(
      `has a password, or the format of Office 2003 and older: save it as .${kind} without a password.`,
    );
  }
  if (!startsWith(bytes, ZIP))
    throw new DocumentError(`is no ${DOCUMENT_KINDS[kind].label}: its content is another kind.`);
  const parts = unpack(bytes);
  checkKind(parts.get('[Content_Types].xml'), kind);
  for (const content of parts.values()) {
    if (hasDoctype(content)) throw new DocumentError('declares a document type, which no program of Office writes.');
    if (kind === 'xlsx') checkCells(content);
  }
  return zipSync(Object.fromEntries(parts), { level: 0 });
}

/** Counts the sizes that the list of contents names; more than that is never unpacked. */
function unpack(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  let [count, size] = [0, 0];
  try {
    const parts = unzipSync(bytes, {
      filter: (part) => {
        count += 1;
        if (count > MAX_PARTS) throw new DocumentError(`has more than ${MAX_PARTS} parts.`);
        if (!READ.test(part.name)) return false;
        size += Math.max(part.size, part.originalSize);
        if (size > MAX_UNPACKED_BYTES)
          throw new DocumentError(`has more than ${MAX_UNPACKED_BYTES / 1_000_000} MB of text when it is unpacked.`);
        return true;
      },
    });
    return new Map(Object.entries(parts));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError('is broken: it cannot be unpacked. Save it again, or send another copy.');
  }
}

function checkKind(types: Uint8Array | undefined, kind: DocumentKind): void {
  const found = types === undefined ? '' : new TextDecoder().decode(types);
  if (found.includes(`"${DOCUMENT_KINDS[kind].mediaType}.main+xml"`)) return;
  throw new DocumentError(`is no ${DOCUMENT_KINDS[kind].label}: its content is another kind.`);
}

/** The library fills a sheet up to its last cell, wherever that is. */
function checkCells(content: Uint8Array): void {
  const text = new TextDecoder().decode(content);
  for (const [, letters = '', row = ''] of text.matchAll(
    /<(?:\w{1,20}:)?c\s[^<>]*?\br\s{0,9}=\s{0,9}["']([A-Za-z]+)(\d+)["']/g,
  )) {
    if (letters.length <= LAST.letters && columnOf(letters) <= LAST.column && Number(row) <= LAST.row) continue;
    const cell = `${letters}${row}`.slice(0, 20);
    throw new DocumentError(`has a cell ${cell}, beyond the last one of Excel (XFD1048576). Save it again with Excel.`);
  }
}

function columnOf(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function hasDoctype(content: Uint8Array): boolean {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes('<!DOCTYPE');
}

function startsWith(bytes: Uint8Array, first: readonly number[]): boolean {
  return first.every((byte, at) => bytes[at] === byte);
}
