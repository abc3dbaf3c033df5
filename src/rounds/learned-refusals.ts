import type { JsonObject } from '../core/json.js';
import type { Refusal } from '../request/refusals.js';
import { byDeclaration, sealedIn, stripRefused } from '../request/strip-refused.js';

/** A body without what was refused before, and what that was. */
export interface StrippedBody {
  readonly body: JsonObject;
  readonly names: readonly string[];
}

/** What hosts have refused, so that each thing is refused once and not in every round. */
export interface LearnedRefusals {
  learn(place: string, refusal: Refusal): void;
  apply(place: string, body: JsonObject): StrippedBody;
}

/** How long a refusal is remembered, in milliseconds: servers are upgraded, and relays change what stands behind them. */
const MEMORY_MS = 3_600_000;
/** Refusals that are remembered: apps let their users name the model, and bring tools. The oldest is forgotten first. */
const MAX_REMEMBERED = 1_000;

export function createLearnedRefusals(now: () => number = Date.now): LearnedRefusals {
  const learned = new Map<string, Learned>();
  return {
    learn(place, refusal) {
      const name = `${place} ${JSON.stringify(refusal)}`;
      learned.delete(name);
      learned.set(name, { place, refusal, until: now() + MEMORY_MS });
      const [oldest] = learned.keys();
      if (learned.size > MAX_REMEMBERED && oldest !== undefined) learned.delete(oldest);
    },
    apply(place, body) {
      let rest: StrippedBody = { body, names: [] };
      for (const known of learned.values())
        if (known.place === place && known.until > now()) rest = strip(rest, known.refusal);
      return rest;
    },
  };
}

interface Learned {
  readonly place: string;
  readonly refusal: Refusal;
  readonly until: number;
}

/** A refusal that also holds for later bodies: tools by their declarations, reasoning by what was sealed. */
export function toLasting(body: JsonObject, refusal: Refusal): Refusal {
  if (refusal.kind === 'reasoning') return { kind: 'reasoning', sealed: sealedIn(body) };
  return refusal.kind === 'field' ? refusal : byDeclaration(body, refusal);
}

/** For people: what was left out. */
export function nameRefusal(refusal: Refusal): string {
  if (refusal.kind === 'field') return `the field "${refusal.field}"`;
  if (refusal.kind === 'reasoning') return 'the reasoning of earlier turns';
  if (refusal.name !== undefined) return `the tool "${refusal.name}"`;
  const { toolType, label, isKind } = refusal;
  if (toolType === undefined) return `tool number ${refusal.index ?? '?'}`;
  return label === undefined || isKind === true ? `tools of type "${toolType}"` : `the tool "${label}" (${toolType})`;
}

function strip({ body, names }: StrippedBody, refusal: Refusal): StrippedBody {
  const stripped = stripRefused(body, refusal);
  return stripped === undefined ? { body, names } : { body: stripped, names: [...names, nameRefusal(refusal)] };
}
