import { isToolUIPart } from 'ai';
import type { ChatPart } from '../types.js';

/** `cut`: aborted, failed, or still at it; what was said so far is kept then. */
export type TurnEnd = 'well' | 'cut';

type ToolPart = Extract<ChatPart, { toolCallId: string }>;

/** Brings the parts of a message into the form that is stored, and that the model is sent. */
export function normalizeParts(parts: readonly ChatPart[], end: TurnEnd = 'cut'): ChatPart[] {
  return withoutRepeatedCalls(parts).flatMap((part) => {
    if (isToolUIPart(part)) return normalizeCall(part);
    if (part.type === 'text' || part.type === 'reasoning') return normalizeText(part, end);
    if (part.type === 'step-start') return [];
    return part.type.startsWith('data-') && !STORED_DATA.has(part.type) ? [] : [part];
  });
}

/** What a person said; all other data is for the moment. */
const STORED_DATA: ReadonlySet<string> = new Set(['data-skill', 'data-steered']);

function normalizeText(part: Extract<ChatPart, { type: 'text' | 'reasoning' }>, end: TurnEnd): ChatPart[] {
  // Reasoning without words may hold what the server sealed.
  if (part.text === '' && (part.type === 'text' || part.providerMetadata === undefined)) return [];
  if (part.state !== 'streaming') return [part];
  return end === 'well' ? [] : [{ ...part, state: 'done' }];
}

function normalizeCall(part: ToolPart): ChatPart[] {
  // `output-streaming` is not in the types of the SDK; older stores of chats have it.
  const state: string = part.state;
  if (state === 'input-streaming') return completeInput(part);
  if (state === 'output-streaming' || ('preliminary' in part && part.preliminary)) return [withoutOutput(part)];
  return [part];
}

/** Arguments that broke off would make another call of it. */
function completeInput(part: ToolPart): ChatPart[] {
  const {
    rawInput,
    inputEncoding: _encoding,
    preliminary: _preliminary,
    ...rest
  } = part as ToolPart & { rawInput?: string; inputEncoding?: string; preliminary?: boolean };
  if (part.input === undefined) return [];
  if (rawInput === undefined) return [{ ...rest, state: 'input-available' } as ChatPart];
  const input = parsed(rawInput);
  return input === undefined ? [] : [{ ...rest, state: 'input-available', input } as ChatPart];
}

/** The call was made, whatever it would have said in the end. */
function withoutOutput(part: ToolPart): ChatPart {
  const {
    output: _output,
    preliminary: _preliminary,
    ...rest
  } = part as ToolPart & {
    output?: unknown;
    preliminary?: boolean;
  };
  const state = rest.approval === undefined ? 'input-available' : 'approval-responded';
  return { ...rest, state } as ChatPart;
}

/** The provider emits a call once more when it asks about it again: the last one has what became of it. */
function withoutRepeatedCalls(parts: readonly ChatPart[]): readonly ChatPart[] {
  const last = new Map(parts.flatMap((part) => (isToolUIPart(part) ? [[part.toolCallId, part] as const] : [])));
  return parts.filter((part) => !isToolUIPart(part) || last.get(part.toolCallId) === part);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
