import { summaryText } from 'responses-loop-example-shared/summary-words.js';
import type { ModelMessage, UserContent } from 'ai';
import { messagesSoFar } from 'responses-loop/v3';
import type { Attachment, ImageAttachment } from '../attach/attachment.js';
import { foreignText } from '../attach/foreign-text.js';
import { PLAN_NOTE } from '../plan/plan-note.js';
import type { Mode } from '../protocol/settings.js';
import type { StoredPart } from '../rollout/lines.js';

/** What was said in one task. */
export interface Turn {
  readonly number: number;
  readonly text: string;
  /** What the person wanted then. Absent: the work itself. */
  readonly mode?: Mode | undefined;
  readonly parts: StoredPart[];
  readonly attached?: readonly Attachment[] | undefined;
  /** Set if the person ran a command; without an output it was interrupted. */
  readonly own?: { readonly command: string; readonly output?: string } | undefined;
}

/** Returns the turn of a command of the person with what it printed. */
export function withOutput(turn: Turn, output: string): Turn {
  return turn.own === undefined ? turn : { ...turn, own: { ...turn.own, output } };
}

/** What stands in for turns that grew too long. */
export interface Summary {
  readonly throughTurn: number;
  readonly text: string;
}

/**
 * The conversation as the model is given it. It is made of what the rollout holds and of nothing else, so that a session
 * that was resumed sends what one sends that was never left.
 */
export async function toMessages(
  turns: readonly Turn[],
  summary?: Summary,
  imageOf: ImageOf = NO_IMAGES,
): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = summary === undefined ? [] : [userMessage(summaryText(summary.text))];
  for (const turn of turns) {
    if (summary !== undefined && turn.number <= summary.throughTurn) continue;
    // Calls without a result get one that says "interrupted".
    const answer = await messagesSoFar(turn.parts.flatMap(toStreamParts));
    messages.push(await messageOf(turn, imageOf), ...(answer as ModelMessage[]));
  }
  return messages;
}

/** Content of an image; `undefined`: it is not there any more. */
export type ImageOf = (image: ImageAttachment) => Promise<Uint8Array | undefined>;

const NO_IMAGES: ImageOf = async () => undefined;

async function messageOf(turn: Turn, imageOf: ImageOf): Promise<ModelMessage> {
  const { attached = [] } = turn;
  if (attached.length === 0) return userMessage(textOf(turn));
  const parts: Exclude<UserContent, string> = [{ type: 'text', text: textOf(turn) }];
  for (const one of attached) {
    if (one.type === 'resource') {
      parts.push({ type: 'text', text: foreignText(one) });
      continue;
    }
    const content = await imageOf(one);
    if (content === undefined) parts.push({ type: 'text', text: `[The image ${one.name} is left out here.]` });
    else parts.push({ type: 'image', image: content, mediaType: one.media_type });
  }
  return { role: 'user', content: parts };
}

function userMessage(text: string): ModelMessage {
  return { role: 'user', content: text };
}

function textOf({ text, mode, own }: Turn): string {
  if (own === undefined) return mode === 'plan' ? `${text}\n\n${PLAN_NOTE}` : text;
  return `I ran this command in the workspace myself:\n\n$ ${own.command}\n\n${own.output ?? 'It was interrupted.'}`;
}

/** The pieces of a stream that a part was made of. */
function toStreamParts(part: StoredPart, index: number): unknown[] {
  if (part.type === 'tool-result' && part.isError === true) {
    return [{ ...part, type: 'tool-error', error: part.output }];
  }
  if (part.type !== 'text' && part.type !== 'reasoning') return [part];
  const { type, text, providerMetadata } = part;
  const id = String(index);
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, text },
    { type: `${type}-end`, id, providerMetadata },
  ];
}
