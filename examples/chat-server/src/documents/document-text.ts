import mammoth from 'mammoth';
import readWorkbook from 'read-excel-file/universal';
import { markdownOf } from 'responses-loop-example-shared/markdown-of.js';
import { DOCUMENT_KINDS, type DocumentKind } from './document-kinds.js';
import { DocumentError, repack } from './office-package.js';

type Cell = string | number | boolean | Date | null | undefined;

/** Empty cells before a far one are text as well. */
const MAX_CHARS = 20_000_000;

const READERS: Readonly<Record<DocumentKind, (document: Uint8Array<ArrayBuffer>) => Promise<string>>> = {
  docx: markdownOfWord,
  xlsx: csvOfExcel,
};

/**
 * A document as text for a model: Markdown of Word, and CSV of each sheet of Excel. Run in a process of its own.
 *
 * @throws DocumentError
 */
export async function documentText(bytes: Uint8Array, kind: DocumentKind): Promise<string> {
  const document = repack(bytes, kind);
  const text = await READERS[kind](document).catch(() => {
    // What the libraries tell is about their own code.
    throw new DocumentError(`is broken, or no ${DOCUMENT_KINDS[kind].label} that can be read here. Save it again.`);
  });
  if (text.length <= MAX_CHARS) return text;
  throw new DocumentError(`has more than ${MAX_CHARS / 1_000_000} million characters of text: send a part of it.`);
}

async function markdownOfWord(document: Uint8Array<ArrayBuffer>): Promise<string> {
  // Pictures were left out; their descriptions stay.
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(document.buffer, document.byteOffset, document.byteLength) },
    { convertImage, externalFileAccess: false },
  );
  return markdownOf(value);
}

async function csvOfExcel(document: Uint8Array<ArrayBuffer>): Promise<string> {
  const sheets = await readWorkbook(document.slice().buffer);
  return sheets
    .map(({ sheet, data }) => `# Sheet: ${sheet}\n\n${csvOf(data as readonly (readonly Cell[])[])}`)
    .join('\n\n');
}

function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => row.map(csvCell).join(',')).join('\n') || '(empty)';
}

function csvCell(cell: Cell): string {
  const text = cell instanceof Date ? dateText(cell) : String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Excel has no time zones; a day has no time. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  return date
    .toISOString()
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/\.000Z$/, '');
}
