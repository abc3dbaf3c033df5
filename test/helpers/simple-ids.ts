import type { RoundIds } from '../../src/core/round.js';

/**
 * Ids for tests that look at one round, or at rounds in a row: readable, and the same for the same calls. A wire call id is
 * kept the first time it is claimed.
 */
export function createSimpleIds(): RoundIds {
  const claimed = new Set<string>();
  const claim = (id: string): string => {
    claimed.add(id);
    return id;
  };
  return {
    partId: (responseId, slot) => `${responseId ?? 'no-response'}/${slot}`,
    claimCallId: (wireCallId, responseId, slot) => {
      if (wireCallId !== undefined && !claimed.has(wireCallId)) return claim(wireCallId);
      return claim(`${responseId ?? 'no-response'}/call/${slot}`);
    },
  };
}
