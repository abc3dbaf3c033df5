import type { RoundToolCall } from '../core/part.js';
import { isDeeperThan } from '../util/json-depth.js';
import { asRecord, asRecords, asString } from '../util/guards.js';
import { parseJson } from '../util/parse-json.js';

const WRAPPERS: ReadonlySet<string> = new Set(['parallel', 'multi_tool_use.parallel']);

export function isParallelWrapper(name: string): boolean {
  return WRAPPERS.has(name);
}

/**
 * The calls inside a wrapper that models make up and Azure lets through (vercel/ai#19098, #1922); `undefined` when it is
 * none. Each gets an id of its own, derived from the wrapper's.
 */
export function expandParallel(
  call: RoundToolCall,
  claimId: (wanted: string) => string,
  levels: number,
): RoundToolCall[] | undefined {
  if (!isParallelWrapper(call.name)) return undefined;
  const wrapped = parseJson(call.arguments);
  // Every wrapper in it is opened in turn: what is nested too deep is refused as a call of a tool that is not there.
  if (isDeeperThan(wrapped, levels)) return undefined;
  const uses = asRecords(asRecord(wrapped)?.['tool_uses']);
  if (uses.length === 0 || uses.some((use) => typeof use['recipient_name'] !== 'string')) return undefined;
  return uses.map((use, index) => ({
    type: 'tool-call',
    callId: claimId(`${call.callId}_${index}`),
    // The one id the server knows of them.
    wireCallId: call.wireCallId ?? call.callId,
    name: (asString(use['recipient_name']) ?? '').replace(/^functions\./, ''),
    arguments: JSON.stringify(use['parameters'] ?? {}),
  }));
}
