import type { FileUIPart } from 'ai';
import { sizeText } from './format.js';

const MOST_FILES = 10;
/** Base64 takes a third more, and a request may have 4 MiB. */
const MOST_BYTES = 2_900_000;
const TEXT_ENDING = /\.(txt|md|csv|json|log|ya?ml|toml|xml|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|c|h|cpp|sh|sql)$/i;

export const ACCEPTED = 'image/*,application/pdf,text/*,.md,.json,.log,.yaml,.yml,.toml';

/** The files as parts of a message, or why not. */
export async function attach(
  kept: readonly FileUIPart[],
  files: readonly File[],
): Promise<{ readonly parts: readonly FileUIPart[]; readonly problem?: string }> {
  if (kept.length + files.length > MOST_FILES)
    return { parts: kept, problem: `At most ${MOST_FILES} files a message.` };
  const refused = files.find((file) => typeOf(file) === undefined);
  if (refused) return { parts: kept, problem: `${refused.name}: only images, PDF and text can be attached.` };
  const size =
    files.reduce((sum, file) => sum + file.size, 0) + kept.reduce((sum, { url }) => sum + url.length * 0.75, 0);
  if (size > MOST_BYTES) {
    return { parts: kept, problem: `These files are ${sizeText(size)} together; ${sizeText(MOST_BYTES)} can be sent.` };
  }
  return { parts: [...kept, ...(await Promise.all(files.map(toPart)))] };
}

function typeOf({ type, name }: File): string | undefined {
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
