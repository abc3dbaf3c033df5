import type { ProviderMetadata } from './metadata.js';
import type { Citation, CommonPart, WithMetadata } from './stream-parts.js';

/** Parts that are content as they are. */
const WHOLE = ['file', 'source', 'tool-call', 'tool-result', 'tool-approval-request', 'custom'] as const;

const IS_WHOLE: ReadonlySet<string> = new Set(WHOLE);

type Whole<Part> = Extract<Part, { type: (typeof WHOLE)[number] }>;
interface Cited {
  citations?: Citation[];
}
interface Text extends WithMetadata, Cited {
  type: 'text';
  text: string;
}
interface Reasoning extends WithMetadata {
  type: 'reasoning';
  text: string;
}

export type ContentOf<Part> = Text | Reasoning | Whole<Part>;

/** A generate result is the stream's content, put together. */
export function toContent<Part extends { type: string }>(
  parts: readonly (CommonPart | Part)[],
): ContentOf<CommonPart | Part>[] {
  const content: ContentOf<CommonPart | Part>[] = [];
  const open = new Map<string, Text | Reasoning>();
  for (const part of parts) {
    if (isWhole(part)) {
      content.push(part);
      continue;
    }
    // No version has a part of its own by one of these names.
    const said = part as CommonPart;
    if (said.type === 'text-start' || said.type === 'reasoning-start') {
      const type = said.type === 'text-start' ? 'text' : 'reasoning';
      const spoken: Text | Reasoning = { type, text: '', ...metadataOf(said) };
      open.set(said.id, spoken);
      content.push(spoken);
    } else if (said.type === 'text-delta' || said.type === 'reasoning-delta') {
      const spoken = open.get(said.id);
      if (spoken !== undefined) spoken.text += said.delta;
    } else if (said.type === 'text-end' || said.type === 'reasoning-end') {
      Object.assign(open.get(said.id) ?? {}, metadataOf(said), citationsOf(said));
    }
  }
  return content;
}

/** Of a text, where the version has them. */
function citationsOf(end: CommonPart & Cited): Cited {
  return end.citations !== undefined ? { citations: end.citations } : {};
}

function isWhole<Part extends { type: string }>(part: Part): part is Whole<Part> {
  return IS_WHOLE.has(part.type);
}

function metadataOf(part: { providerMetadata?: ProviderMetadata }): WithMetadata {
  return part.providerMetadata === undefined ? {} : { providerMetadata: part.providerMetadata };
}
