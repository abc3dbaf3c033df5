import type { JsonObject } from '../core/json.js';
import type { Refusal } from '../request/refusals.js';
import { byNameOrType, sealedIn, stripRefused } from '../request/strip-refused.js';

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
/** Hosts and models that are remembered: apps let their users name the model. */
const MAX_PLACES = 1_000;

export function createLearnedRefusals(now: () => number = Date.now): LearnedRefusals {
  const byPlace = new Map<string, { readonly refusal: Refusal; readonly until: number }[]>();
  const known = (place: string) => (byPlace.get(place) ?? []).filter(({ until }) => until > now());
  return {
    learn(place, refusal) {
      const name = JSON.stringify(refusal);
      const others = known(place).filter((entry) => JSON.stringify(entry.refusal) !== name);
      byPlace.delete(place);
      byPlace.set(place, [...others, { refusal, until: now() + MEMORY_MS }]);
      const [oldest] = byPlace.keys();
      if (byPlace.size > MAX_PLACES && oldest !== undefined) byPlace.delete(oldest);
    },
    apply(place, body) {
      return known(place).reduce<StrippedBody>((rest, { refusal }) => strip(rest, refusal), { body, names: [] });
    },
  };
}

/** A refusal that also holds for later bodies: tools by name, since positions change; reasoning by what was sealed. */
export function toLasting(body: JsonObject, refusal: Refusal): Refusal {
  if (refusal.kind === 'reasoning') return { kind: 'reasoning', sealed: sealedIn(body) };
  return refusal.kind === 'field' ? refusal : byNameOrType(body, refusal);
}

/** For people: what was left out. */
export function nameRefusal(refusal: Refusal): string {
  if (refusal.kind === 'field') return `the field "${refusal.field}"`;
  if (refusal.kind === 'reasoning') return 'the reasoning of earlier turns';
  if (refusal.name !== undefined) return `the tool "${refusal.name}"`;
  return refusal.toolType === undefined ? `tool number ${refusal.index ?? '?'}` : `tools of type "${refusal.toolType}"`;
}

function strip({ body, names }: StrippedBody, refusal: Refusal): StrippedBody {
  const stripped = stripRefused(body, refusal);
  return stripped === undefined ? { body, names } : { body: stripped, names: [...names, nameRefusal(refusal)] };
}
