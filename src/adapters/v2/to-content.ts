import type { LanguageModelV2Content, LanguageModelV2StreamPart } from '@ai-sdk/provider';

type Spoken = Extract<LanguageModelV2Content, { type: 'text' | 'reasoning' }>;

/** Parts that are content as they are. */
const WHOLE: ReadonlySet<string> = new Set(['file', 'source', 'tool-call', 'tool-result']);

/** A generate result is the stream's content, put together. */
export function toContent(parts: readonly LanguageModelV2StreamPart[]): LanguageModelV2Content[] {
  const content: LanguageModelV2Content[] = [];
  const open = new Map<string, Spoken>();
  for (const part of parts) {
    if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const spoken: Spoken = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '', ...metadataOf(part) };
      open.set(part.id, spoken);
      content.push(spoken);
    } else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const spoken = open.get(part.id);
      if (spoken !== undefined) spoken.text += part.delta;
    } else if (part.type === 'text-end' || part.type === 'reasoning-end') {
      Object.assign(open.get(part.id) ?? {}, metadataOf(part));
    } else if (isWhole(part)) content.push(part);
  }
  return content;
}

function isWhole(part: LanguageModelV2StreamPart): part is Extract<LanguageModelV2StreamPart, LanguageModelV2Content> {
  return WHOLE.has(part.type);
}

function metadataOf(part: { providerMetadata?: Spoken['providerMetadata'] }): Pick<Spoken, 'providerMetadata'> {
  return part.providerMetadata === undefined ? {} : { providerMetadata: part.providerMetadata };
}
