import type { ChatMessage, ChatPart } from '../types.js';

const OURS = 'responses-loop';
/** Where parts have what a provider says of them. */
const METADATA = ['providerMetadata', 'callProviderMetadata', 'resultProviderMetadata'] as const;

type Piece = Pick<ChatMessage, 'role' | 'parts'>;

/**
 * An answer in which the model heard the person is several messages: theirs stand between. What our provider carries of
 * these texts is left out, since the model would read them twice; other providers carry nothing, and neither does an answer
 * that was cut off.
 */
export function cutAtSteered(parts: readonly ChatPart[]): readonly Piece[] {
  if (!parts.some(({ type }) => type === 'data-steered')) return pieceOf(parts);
  const pieces: Piece[] = [];
  let said: ChatPart[] = [];
  for (const part of parts) {
    if (part.type === 'data-steered') {
      pieces.push(...pieceOf(said), { role: 'user', parts: [{ type: 'text', text: part.data.text }] });
      said = [];
    } else said.push(withoutCarriedTexts(part));
  }
  return [...pieces, ...pieceOf(said)];
}

function pieceOf(parts: readonly ChatPart[]): readonly Piece[] {
  return parts.length === 0 ? [] : [{ role: 'assistant', parts: [...parts] }];
}

function withoutCarriedTexts(part: ChatPart): ChatPart {
  let changed = part as ChatPart & Readonly<Record<string, unknown>>;
  for (const name of METADATA) {
    const metadata = objectIn(part, name);
    const own = objectIn(metadata, OURS);
    const carrier = objectIn(own, 'carrier');
    const entries: unknown = carrier?.['entries'];
    if (!Array.isArray(entries) || !entries.some(isText)) continue;
    const kept = { ...carrier, entries: entries.filter((entry) => !isText(entry)) };
    changed = { ...changed, [name]: { ...metadata, [OURS]: { ...own, carrier: kept } } };
  }
  return changed;
}

function isText(entry: unknown): boolean {
  return typeof objectIn({ entry }, 'entry')?.['user'] === 'string';
}

function objectIn(value: object | undefined, key: string): Readonly<Record<string, unknown>> | undefined {
  const found: unknown = value && Reflect.get(value, key);
  return typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>) : undefined;
}
