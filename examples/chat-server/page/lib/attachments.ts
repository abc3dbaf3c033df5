import type { FileUIPart } from 'ai';
import { DOCUMENT_KINDS, documentKindOf } from '../../src/documents/document-kinds.js';
import { sizeText } from './format.js';

const MAX_FILES = 10;
/** Base64 takes a third more, and a request may have 4 MiB. */
const MAX_BYTES = 2_900_000;
const TEXT_ENDING = /\.(txt|md|csv|json|log|ya?ml|toml|xml|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|c|h|cpp|sh|sql)$/i;

const DOCUMENT_ENDINGS = Object.keys(DOCUMENT_KINDS).map((kind) => `.${kind}`);

export const ACCEPTED = `image/*,application/pdf,text/*,.md,.json,.log,.yaml,.yml,.toml,${DOCUMENT_ENDINGS.join(',')}`;

/** Those of the files that a message can have, as its parts, and why the others were left out. */
export async function attach(
  kept: readonly FileUIPart[],
  files: readonly File[],
): Promise<{ readonly parts: readonly FileUIPart[]; readonly problem?: string }> {
  const taken: File[] = [];
  const refused = new Map<string, string[]>();
  let size = kept.reduce((sum, { url }) => sum + url.length * 0.75, 0);
  for (const file of files) {
    const why = whyRefused(file, kept.length + taken.length, size);
    if (why === undefined) {
      taken.push(file);
      size += file.size;
    } else refused.set(why, [...(refused.get(why) ?? []), file.name]);
  }
  const parts = [...kept, ...(await Promise.all(taken.map(toPart)))];
  if (refused.size === 0) return { parts };
  return { parts, problem: [...refused].map(([why, names]) => `${names.join(', ')}: ${why}`).join(' ') };
}

function whyRefused(file: File, count: number, size: number): string | undefined {
  if (typeOf(file) === undefined) return 'you can attach images, PDF, text, Word (.docx) and Excel (.xlsx) files.';
  if (count >= MAX_FILES) return `a message can have ${MAX_FILES} files.`;
  if (size + file.size <= MAX_BYTES) return undefined;
  return `too large (${sizeText(file.size)}). The files of a message can have ${sizeText(MAX_BYTES)} together.`;
}

/** By the name first: not every system knows the type of a document. */
function typeOf({ type, name }: File): string | undefined {
  const kind = documentKindOf(name);
  if (kind !== undefined) return DOCUMENT_KINDS[kind].mediaType;
  if (/^(image\/|text\/|application\/(pdf|json)$)/.test(type)) return type === 'application/json' ? 'text/plain' : type;
  return TEXT_ENDING.test(name) ? 'text/plain' : undefined;
}

async function toPart(file: File): Promise<FileUIPart> {
  const mediaType = typeOf(file) ?? 'text/plain';
  const url = await dataUrl(new Blob([file], { type: mediaType }));
  return { type: 'file', mediaType, filename: file.name, url };
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsDataURL(blob);
  });
}
