import type { CarriedCall, Carrier } from '../core/carrier.js';
import type { ToolOutput } from '../core/message.js';
import type { CallPart, ContentPart } from '../core/part.js';

type TextEnd = Extract<ContentPart, { type: 'text-end' }>;

/** Above this, outputs in a carrier are cut: it is stored with the app's messages. Characters of one round's JSON. */
const MAX_CARRIER_CHARS = 256_000;

/**
 * Holds a round's last `text-end` back until the outputs of hidden calls are known, so that they can travel in its
 * metadata; where the round has no text, an empty reasoning part carries them.
 */
export class CarrierWriter {
  #held: TextEnd | undefined;

  /** Passes parts on, except a `text-end` that may turn out to be the last. */
  pass(parts: readonly CallPart[]): CallPart[] {
    const passed: CallPart[] = [];
    for (const part of parts) {
      // What comes after a later part would be replayed in the wrong order.
      if (this.#held !== undefined && opensContent(part)) passed.push(...this.release());
      if (part.type === 'text-end') this.#held = part;
      else passed.push(part);
    }
    return passed;
  }

  /** Lets the held part go, with nothing to carry. */
  release(): CallPart[] {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? [] : [held];
  }

  /** Lets the held part go with the hidden calls of the round. */
  carry(calls: readonly CarriedCall[], newPartId: () => string): CallPart[] {
    const [held] = this.release();
    if (calls.length === 0) return held === undefined ? [] : [held];
    const carrier = cap({ v: 1, calls });
    if (held?.type === 'text-end') return [{ ...held, facts: { ...held.facts, carrier } }];
    const id = newPartId();
    return [
      { type: 'reasoning-start', id },
      { type: 'reasoning-end', id, facts: { carrier } },
    ];
  }
}

function opensContent(part: CallPart): boolean {
  return part.type === 'text-start' || part.type === 'reasoning-start' || part.type === 'text-end';
}

function cap(carrier: Carrier): Carrier {
  if (JSON.stringify(carrier).length <= MAX_CARRIER_CHARS) return carrier;
  const perCall = Math.floor(MAX_CARRIER_CHARS / 2 / carrier.calls.length);
  return { v: 1, calls: carrier.calls.map((call) => ({ ...call, output: capOutput(call.output, perCall) })) };
}

function capOutput(output: ToolOutput, maxChars: number): ToolOutput {
  const content = output.content.map((part) => {
    if (part.type === 'file') return { type: 'text', text: `[${part.mediaType} left out: too large to keep]` } as const;
    if (part.text.length <= maxChars) return part;
    return { type: 'text', text: `${part.text.slice(0, maxChars)}\n[… ${part.text.length - maxChars} characters left out: too large to keep]` } as const;
  });
  return { isError: output.isError, content };
}
