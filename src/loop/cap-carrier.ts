import type { Carrier, PlacedCall } from '../core/carrier.js';
import { isCompaction } from '../core/compaction.js';
import type { JsonObject } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import { clip } from '../util/excerpt.js';

/** What a carrier holds. */
export type Load = Omit<Carrier, 'v'>;

/** Without the lists that hold nothing. */
export function unlessEmpty(lists: { readonly [Name in keyof Load]: Load[Name] | undefined }): Load {
  const kept: [string, unknown][] = [];
  for (const entry of Object.entries(lists)) if (entry[1] !== undefined && entry[1].length > 0) kept.push(entry);
  // What is left of the lists are those of the object.
  return Object.fromEntries(kept) as Load;
}

/**
 * Cuts a carrier to so many characters: what a summary of the server's replaces is left out first. If that is not enough,
 * long outputs are cut with a visible mark, and items that alone would fill it are left out. `undefined` if nothing remains.
 */
export function capCarrier(whole: Carrier, maxChars: number): Carrier | undefined {
  const carrier = sinceCompaction(whole);
  if (jsonLength(carrier) <= maxChars) return carrier;
  const { v, behind, before, callsBefore, after, calls, order, outputs, asked } = carrier;
  const entries = [before, callsBefore, after, calls, outputs].reduce((count, list) => count + (list?.length ?? 0), 0);
  const perEntry = Math.floor(maxChars / 2 / Math.max(1, entries));
  const fits = (item: JsonObject): boolean => JSON.stringify(item).length <= perEntry;
  const kept = unlessEmpty({
    behind,
    before: before?.filter(fits),
    callsBefore: callsBefore?.map((call) => capCall(call, perEntry)),
    after: after?.filter(fits),
    calls: calls?.map((call) => ({ ...capCall(call, perEntry), output: capOutput(call.output, perEntry) })),
    order,
    outputs: outputs?.map((entry) => ({ ...entry, output: capOutput(entry.output, perEntry) })),
    asked,
  });
  return Object.keys(kept).length === 0 ? undefined : { v, ...kept };
}

/** Calls stay, since their outputs came behind the summary. */
function sinceCompaction(carrier: Carrier): Carrier {
  const { before = [], after = [], ...rest } = carrier;
  const inAfter = after.findLastIndex(isCompaction);
  const start = inAfter === -1 ? Math.max(0, before.findLastIndex(isCompaction)) : before.length;
  return { ...rest, ...unlessEmpty({ before: before.slice(start), after: after.slice(Math.max(0, inAfter)) }) };
}

/** The cut arguments are still JSON: servers refuse a call whose arguments are not. */
function capCall<Call extends PlacedCall>(call: Call, maxChars: number): Call {
  const { members, ...rest } = call;
  const kept = members === undefined || jsonLength(members) <= maxChars ? call : (rest as Call);
  if (jsonLength(call.arguments) <= maxChars) return kept;
  const cut = `${call.arguments.length} characters left out: too large to keep`;
  return { ...kept, arguments: JSON.stringify({ _cut: cut }) };
}

/** Texts from the first on, as far as they fit; what is behind them is counted. */
function capOutput(output: ToolOutput, maxChars: number): ToolOutput {
  let left = maxChars;
  let cut = 0;
  const content = output.content.flatMap((part) => {
    const text = part.type === 'file' ? `[${part.mediaType} left out: too large to keep]` : part.text;
    const kept = fitting(text, left - PART_CHARS);
    left -= jsonLength(kept) + PART_CHARS;
    cut += text.length - kept.length;
    return kept === '' ? [] : [{ type: 'text', text: kept } as const];
  });
  const mark = { type: 'text', text: `[… ${cut} characters left out: too large to keep]` } as const;
  return { isError: output.isError, content: cut === 0 ? content : [...content, mark] };
}

/** What a part takes beside its text. */
const PART_CHARS = 32;

/** The beginning of a text that takes no more than this as JSON: escapes can make it six times as long. */
function fitting(text: string, maxChars: number): string {
  let kept = clip(text, Math.max(0, maxChars));
  while (kept !== '' && jsonLength(kept) > maxChars) kept = clip(kept, Math.floor(kept.length / 2));
  return kept;
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value).length;
}
