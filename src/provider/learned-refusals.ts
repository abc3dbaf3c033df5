import type { JsonObject } from '../core/json.js';
import type { Refusal } from '../request/refusals.js';
import { refusedToolName, stripRefused } from '../request/strip-refused.js';

/** What hosts have refused, per host and model, so that each thing is refused once and not in every round. */
export interface LearnedRefusals {
  /** Remembers a refusal for good, unless it only concerns this conversation. */
  learn(place: string, body: JsonObject, refusal: Refusal): void;
  /** The body without everything refused there before. */
  apply(place: string, body: JsonObject): JsonObject;
}

export function createLearnedRefusals(): LearnedRefusals {
  const byPlace = new Map<string, Refusal[]>();
  return {
    learn(place, body, refusal) {
      const lasting = toLasting(body, refusal);
      if (lasting !== undefined) byPlace.set(place, [...(byPlace.get(place) ?? []), lasting]);
    },
    apply(place, body) {
      return (byPlace.get(place) ?? []).reduce((rest, refusal) => stripRefused(rest, refusal) ?? rest, body);
    },
  };
}

/** A tool is remembered by name, since positions change; reasoning sealed by another is a matter of one conversation. */
function toLasting(body: JsonObject, refusal: Refusal): Refusal | undefined {
  if (refusal.kind === 'field') return refusal;
  if (refusal.kind === 'reasoning') return undefined;
  const name = refusedToolName(body, refusal);
  return name === undefined ? undefined : { kind: 'tool', name };
}
