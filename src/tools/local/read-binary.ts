import type { FileContent } from '../../core/message.js';
import { toBase64 } from '../../util/bytes.js';

/** How files begin that models can look at; a text with `.` for any byte. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['image/png', '\u0089PNG'],
  ['image/jpeg', '\u00ff\u00d8\u00ff'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'RIFF....WEBP'],
  ['application/pdf', '%PDF-'],
];

/** Bytes as a file for the model: of the type they are said to be of, else of the one they look like; `undefined` if neither. */
export function binaryFile(bytes: Uint8Array, declaredType: string, filename?: string): FileContent | undefined {
  const mediaType = isTelling(declaredType) ? declaredType : sniff(bytes);
  if (mediaType === undefined || bytes.length === 0) return undefined;
  return {
    type: 'file',
    mediaType,
    source: { type: 'data', base64: toBase64(bytes) },
    ...(filename === undefined || filename === '' ? {} : { filename }),
  };
}

/** The text that bytes are, in UTF-8; `undefined` where they are none. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // oxlint-disable-next-line no-control-regex -- what a text does not hold, but most other files do
    return text === '' || /[\0-\x08\x0e-\x1a]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function isTelling(mediaType: string): boolean {
  return mediaType !== '' && mediaType !== 'application/octet-stream';
}

function sniff(bytes: Uint8Array): string | undefined {
  const found = SIGNATURES.find(([, signature]) =>
    [...signature].every((char, index) => char === '.' || bytes[index] === char.charCodeAt(0)),
  );
  return found?.[0];
}
