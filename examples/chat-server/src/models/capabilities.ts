import type { ChatPart } from '../types.js';
import type { ModelFacts } from './model-facts.js';

/** What is known of a model, under the name that a person chose it by. The page asks before it sends, the server before it stores. */
export type KnownModel = ModelFacts & { readonly label: string };

/** A sentence, if the model has no such level of reasoning. */
export function effortRefusal({ label, efforts }: KnownModel, effort: string | undefined): string | undefined {
  if (effort === undefined || efforts === undefined || efforts.includes(effort)) return undefined;
  const known = efforts.length === 0 ? 'it has none' : `it has ${efforts.join(', ')}`;
  return `${label} has no reasoning effort "${effort}": ${known}.`;
}

/** The first file that the model cannot take. Text is put into the message, so every model takes it. */
export function fileRefusal(
  { label, images, files }: KnownModel,
  parts: readonly ChatPart[],
): { readonly why: string; readonly name: string } | undefined {
  for (const part of parts) {
    if (part.type !== 'file') continue;
    const kind = kindOf(part.mediaType);
    const isTaken = { image: images, file: files, text: true }[kind];
    if (isTaken === false) return { why: `${label} takes no ${kind}s`, name: part.filename ?? part.mediaType };
  }
  return undefined;
}

const DOCUMENT = /^application\/vnd\.openxmlformats-officedocument\./;

function kindOf(mediaType: string): 'image' | 'file' | 'text' {
  if (mediaType.startsWith('image/')) return 'image';
  return mediaType.startsWith('text/') || DOCUMENT.test(mediaType) ? 'text' : 'file';
}
