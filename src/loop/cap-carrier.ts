import type { Carrier, PlacedCall } from '../core/carrier.js';
import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';

/** Above this, a carrier is cut: it is stored with the app's messages. Characters of its JSON. */
const MAX_CARRIER_CHARS = 256_000;

/** Keeps a carrier storable: long outputs are cut with a visible mark, items that alone would fill it are left out. */
export function capCarrier(carrier: Carrier): Carrier {
  if (JSON.stringify(carrier).length <= MAX_CARRIER_CHARS) return carrier;
  const { before, callsBefore, after, calls, outputs } = carrier;
  const entries = [before, callsBefore, after, calls, outputs].reduce((count, list) => count + (list?.length ?? 0), 0);
  const perEntry = Math.floor(MAX_CARRIER_CHARS / 2 / Math.max(1, entries));
  const fits = (item: JsonObject): boolean => JSON.stringify(item).length <= perEntry;
  return {
    ...carrier,
    ...(before === undefined ? {} : { before: before.filter(fits) }),
    ...(callsBefore === undefined ? {} : { callsBefore: callsBefore.map((call) => capArguments(call, perEntry)) }),
    ...(after === undefined ? {} : { after: after.filter(fits) }),
    ...(calls === undefined
      ? {}
      : {
          calls: calls.map((call) => ({ ...capArguments(call, perEntry), output: capOutput(call.output, perEntry) })),
        }),
    ...(outputs === undefined
      ? {}
      : { outputs: outputs.map((entry) => ({ ...entry, output: capOutput(entry.output, perEntry) })) }),
  };
}

/** Still JSON: servers refuse a call whose arguments are none. */
function capArguments<Call extends PlacedCall>(call: Call, maxChars: number): Call {
  const cut = call.arguments.length - maxChars;
  return cut <= 0
    ? call
    : { ...call, arguments: JSON.stringify({ _cut: `${cut} characters left out: too large to keep` }) };
}

function capOutput(output: ToolOutput, maxChars: number): ToolOutput {
  const content = output.content.map((part) => {
    if (part.type === 'file') return { type: 'text', text: `[${part.mediaType} left out: too large to keep]` } as const;
    if (part.text.length <= maxChars) return part;
    const cut = part.text.length - maxChars;
    return {
      type: 'text',
      text: `${part.text.slice(0, maxChars)}\n[… ${cut} characters left out: too large to keep]`,
    } as const;
  });
  return { isError: output.isError, content };
}
