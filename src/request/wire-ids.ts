import type { Entry } from '../core/entry.js';
import { shortHash } from '../util/hash.js';
import { asId } from '../util/guards.js';

const MAX_CALL_ID = 64;

/**
 * Assigns ids of calls and messages in one request. Servers refuse a call id that is repeated or longer than 64
 * characters. A made-up id differs from all ids in the conversation.
 */
export class WireIds {
  readonly #sent = new Set<string>();
  /** All ids in the conversation. */
  readonly #known = new Set<string>();
  /** The next number for a made-up id that is already used. */
  readonly #next = new Map<string, number>();

  /** Notes the ids of an entry before it is sent. */
  note(entry: Entry): void {
    if (entry.type === 'call') this.#known.add(entry.call.callId);
    else if (entry.type === 'output') this.#known.add(entry.result.callId);
    // An item keeps its call id.
    const itemCallId = entry.type === 'item' ? asId(entry.item['call_id']) : undefined;
    if (itemCallId !== undefined) this.#sent.add(itemCallId);
  }

  claimCall(callId: string): string {
    const isFit = callId.length <= MAX_CALL_ID && callId !== '';
    if (isFit && !this.#sent.has(callId)) return this.#claim(callId);
    const idOf = (n: number): string => `call_${shortHash(n === 1 ? callId : `${callId}:${n}`)}`;
    return this.#makeUp(`call ${callId}`, isFit ? 2 : 1, idOf);
  }

  /** Returns an id for a text: the same in the next request, another for a repeated text. */
  claimMessage(text: string): string {
    const hash = shortHash(text);
    return this.#makeUp(`message ${hash}`, 1, (n) => `msg_${n === 1 ? hash : shortHash(`${n}:${text}`)}`);
  }

  #makeUp(what: string, first: number, idOf: (n: number) => string): string {
    for (let n = this.#next.get(what) ?? first; ; n += 1) {
      const id = idOf(n);
      if (this.#sent.has(id) || this.#known.has(id)) continue;
      this.#next.set(what, n + 1);
      return this.#claim(id);
    }
  }

  #claim(id: string): string {
    this.#sent.add(id);
    return id;
  }
}

/** `@ai-sdk/openai` calls a tool of a server's MCP server `mcp.search`. Servers refuse every turn with such a name. */
export function wireName(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_') || '_';
}
