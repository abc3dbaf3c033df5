import type { RoundPart } from '../core/part.js';
import type { Check } from './shape.js';

/**
 * Checks the order of a round: deltas and ends follow a start, a call occurs once, and nothing follows the end of the
 * round. Each part has passed its own check.
 */
export const partsInOrder: Check = (value, path) => {
  // Checked, part by part.
  const parts = value as readonly RoundPart[];
  const seen: Seen = { open: new Set(), calls: new Set() };
  for (const [index, part] of parts.entries()) {
    const problem =
      edgeProblem(part, seen) ?? callProblem(part, seen) ?? endProblem(part, seen, parts.length - 1 - index);
    if (problem !== undefined) return `"${path}[${index}]" ${problem}`;
  }
  return undefined;
};

interface Seen {
  readonly open: Set<string>;
  readonly calls: Set<string>;
}

function edgeProblem(part: RoundPart, { open }: Seen): string | undefined {
  const place = placeOf(part);
  if (place === undefined) return undefined;
  const { key, edge } = place;
  if (edge === 'start') {
    if (open.has(key)) return 'begins what is open already';
    open.add(key);
  } else if (!open.has(key)) return 'continues what was not begun';
  else if (edge === 'end') open.delete(key);
  return undefined;
}

function callProblem(part: RoundPart, { calls }: Seen): string | undefined {
  if (part.type !== 'tool-call') return undefined;
  if (calls.has(part.callId)) return 'has the "callId" of an earlier call';
  calls.add(part.callId);
  return undefined;
}

function endProblem({ type }: RoundPart, { open }: Seen, behind: number): string | undefined {
  if (type !== 'round-end') return undefined;
  if (behind > 0) return 'ends the round before its last part';
  return open.size > 0 ? 'ends the round while a part of it is open' : undefined;
}

const EDGES = ['start', 'delta', 'end'] as const;

/** Returns what a part opens, continues or closes; `undefined` for a single part. */
function placeOf(part: RoundPart): { readonly key: string; readonly edge: (typeof EDGES)[number] } | undefined {
  const edge = EDGES.find((name) => part.type.endsWith(`-${name}`));
  if (edge === undefined || part.type === 'round-end') return undefined;
  const kind = part.type.slice(0, -edge.length);
  const id = 'callId' in part ? part.callId : 'id' in part ? part.id : '';
  return { key: `${kind}${id}`, edge };
}
