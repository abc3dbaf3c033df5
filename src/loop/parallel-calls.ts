import type { ToolInputPart } from '../core/part.js';
import type { AssistantContent, ToolCallContent } from '../core/message.js';
import { defined } from '../util/defined.js';
import { isDeeperThan, parseJson } from '../util/json.js';
import { asRecord, asRecords, asString } from '../util/guards.js';
import type { RoundPlace } from './loop-options.js';

/**
 * The calls inside wrappers, which models invent for several calls and Azure lets through (vercel/ai#19098, #1922).
 */
export class ParallelCalls {
  /** By the id of the wrapper. */
  readonly #inner = new Map<string, readonly ToolCallContent[]>();
  readonly #round: RoundPlace;
  /** How deep the JSON of a wrapper may be. */
  readonly #levels: number;

  constructor(round: RoundPlace, levels: number) {
    this.#round = round;
    this.#levels = levels;
  }

  /** Returns the calls in a wrapper, with ids made from the wrapper's, or `undefined` if they cannot be read. */
  open(call: ToolCallContent): readonly ToolCallContent[] | undefined {
    const { ids, responseId } = this.#round;
    const wrapped = parseJson(call.arguments);
    // Wrappers inside it are opened too, so a wrapper that is nested too deep counts as an unknown tool.
    if (isDeeperThan(wrapped, this.#levels)) return undefined;
    const uses = asRecords(asRecord(wrapped)?.['tool_uses']);
    if (uses.length === 0 || uses.some((use) => typeof use['recipient_name'] !== 'string')) return undefined;
    const inner = uses.map((use, index): ToolCallContent => ({
      type: 'tool-call',
      callId: ids.claimCallId(`${call.callId}_${index}`, responseId, `${call.callId}_${index}`),
      // The server knows only the wrapper's id.
      wireCallId: call.wireCallId ?? call.callId,
      name: (asString(use['recipient_name']) ?? '').replace(/^functions\./, ''),
      arguments: JSON.stringify(use['parameters'] ?? {}),
      ...placeIn(call, { index, count: uses.length }),
    }));
    this.#inner.set(call.callId, inner);
    return inner;
  }

  /** Returns the round's content with the calls of the next request in place of the wrappers. */
  replayed(content: readonly AssistantContent[]): readonly AssistantContent[] {
    if (this.#inner.size === 0) return content;
    return content.flatMap<AssistantContent>((entry) =>
      entry.type === 'tool-call' ? this.#unwrapped(entry) : [entry],
    );
  }

  #unwrapped(content: ToolCallContent): readonly ToolCallContent[] {
    const calls = this.#inside(content.callId);
    if (calls === undefined) return [content];
    const { callId: id, wireCallId = id, members } = content;
    return calls.map(({ callId, name, arguments: text }) => ({
      type: 'tool-call',
      callId,
      name,
      arguments: text,
      wireCallId,
      ...defined({ members }),
    }));
  }

  /** Returns the calls of a wrapper and of the wrappers inside it. */
  #inside(callId: string): readonly ToolCallContent[] | undefined {
    return this.#inner.get(callId)?.flatMap((call) => this.#inside(call.callId) ?? [call]);
  }
}

/** Members of the wrapper apply to its calls. The server knows no position for a wrapper inside a wrapper. */
function placeIn(
  { callId, wireCallId, name, itemId, arguments: text, members, wrapper }: ToolCallContent,
  { index, count }: { readonly index: number; readonly count: number },
): Pick<ToolCallContent, 'members' | 'wrapper'> {
  if (wrapper !== undefined) return defined({ members });
  const first = index === 0 ? text : undefined;
  const place = { callId: wireCallId ?? callId, name, index, count, ...defined({ itemId, arguments: first }) };
  return { ...defined({ members }), wrapper: place };
}

/** Returns the input parts of a call inside a wrapper. */
export function inputOf({ callId, name, arguments: delta }: ToolCallContent): ToolInputPart[] {
  return [
    { type: 'tool-input-start', callId, name },
    { type: 'tool-input-delta', callId, delta },
    { type: 'tool-input-end', callId },
  ];
}
