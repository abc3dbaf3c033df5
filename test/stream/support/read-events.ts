import { expect } from 'vitest';

import type { AssistantContent, ToolCallContent } from '../../../src/core/message.js';
import type { RoundPart, RoundResult } from '../../../src/core/part.js';
import { encodeEvents, everyByte, plainParts, type ScriptedEvent, toCrlf, whole } from '../../../src/testing.js';
import { replayRound } from '../../helpers/replay-round.js';
import { sameValue } from '../../helpers/same-value.js';

export interface ReadStream {
  readonly parts: readonly RoundPart[];
  readonly result: RoundResult;
  readonly content: readonly AssistantContent[];
  /** One entry per text part, in the order they began. */
  readonly texts: readonly string[];
  /** One entry per reasoning part. */
  readonly reasoning: readonly string[];
  readonly calls: readonly ToolCallContent[];
}

/**
 * Reads a stream of events as a round: in one chunk, byte by byte and with CR LF, which must not make a difference, and
 * with every part that was begun also ended.
 */
export async function readEvents(
  events: readonly ScriptedEvent[],
  ending: 'end' | 'reset' = 'end',
): Promise<ReadStream> {
  const bytes = encodeEvents(events);
  const parts = await replayRound(whole(bytes), ending);
  for (const chunks of [everyByte(bytes), whole(toCrlf(bytes))]) {
    const again = await replayRound(chunks, ending);
    if (!sameValue(again, parts)) expect(plainParts(again)).toEqual(plainParts(parts));
  }
  expect(unclosed(parts)).toEqual([]);
  const end = parts.at(-1);
  if (end?.type !== 'round-end') throw new Error('the last part is no round-end');
  return {
    parts,
    result: end.result,
    content: end.result.content,
    texts: spans(parts, 'text'),
    reasoning: spans(parts, 'reasoning'),
    calls: partsOf(parts, 'tool-call'),
  };
}

export function partsOf<T extends RoundPart['type']>(
  parts: readonly RoundPart[],
  type: T,
): Extract<RoundPart, { type: T }>[] {
  return parts.filter((part): part is Extract<RoundPart, { type: T }> => part.type === type);
}

/** What a call's arguments were streamed as. */
export function streamedInput(parts: readonly RoundPart[], callId: string): string {
  return partsOf(parts, 'tool-input-delta')
    .filter((part) => part.callId === callId)
    .map((part) => part.delta)
    .join('');
}

/** The parts of a family as texts, in the order they began. */
export function spans(parts: readonly RoundPart[], family: 'text' | 'reasoning'): string[] {
  const texts = new Map<string, string>();
  for (const part of parts) {
    if (!part.type.startsWith(family)) continue;
    if (part.type === 'text-start' || part.type === 'reasoning-start') texts.set(part.id, '');
    else if (part.type === 'text-delta' || part.type === 'reasoning-delta')
      texts.set(part.id, `${texts.get(part.id) ?? ''}${part.delta}`);
  }
  return [...texts.values()];
}

/** Spans that break the order start, deltas, end, or a name used twice. */
function unclosed(parts: readonly RoundPart[]): string[] {
  const open = new Set<string>();
  const problems: string[] = [];
  for (const part of parts) {
    const [, family, step] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? [];
    if (family === undefined) continue;
    const key = `${family} ${'id' in part ? part.id : 'callId' in part ? part.callId : ''}`;
    if (step === 'start' ? open.has(key) : !open.has(key)) problems.push(`${part.type} of ${key}`);
    if (step === 'end') open.delete(key);
    else open.add(key);
  }
  return [...problems, ...[...open].map((key) => `${key} left open`)];
}
