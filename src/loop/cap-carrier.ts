import type { Carrier } from '../core/carrier.js';
import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';

/** Above this, a carrier is cut: it is stored with the app's messages. Characters of its JSON. */
const MAX_CARRIER_CHARS = 256_000;

/** Keeps a carrier storable: long outputs are cut with a visible mark, items that alone would fill it are left out. */
export function capCarrier(carrier: Carrier): Carrier {
  if (JSON.stringify(carrier).length <= MAX_CARRIER_CHARS) return carrier;
  const { before, after, calls } = carrier;
  const perEntry = Math.floor(MAX_CARRIER_CHARS / 2 / Math.max(1, (before?.length ?? 0) + (after?.length ?? 0) + (calls?.length ?? 0)));
  const fits = (item: JsonObject): boolean => JSON.stringify(item).length <= perEntry;
  return {
    v: 1,
    ...(before === undefined ? {} : { before: before.filter(fits) }),
    ...(after === undefined ? {} : { after: after.filter(fits) }),
    ...(calls === undefined ? {} : { calls: calls.map((call) => ({ ...call, output: capOutput(call.output, perEntry) })) }),
  };
}

function capOutput(output: ToolOutput, maxChars: number): ToolOutput {
  const content = output.content.map((part) => {
    if (part.type === 'file') return { type: 'text', text: `[${part.mediaType} left out: too large to keep]` } as const;
    if (part.text.length <= maxChars) return part;
    const cut = part.text.length - maxChars;
    return { type: 'text', text: `${part.text.slice(0, maxChars)}\n[… ${cut} characters left out: too large to keep]` } as const;
  });
  return { isError: output.isError, content };
}
