import type { ResponseFacts } from '../core/part.js';
import { excerpt } from '../util/excerpt.js';
import { asRecords, asString, rowOf } from '../util/guards.js';

/** The API's reasons in plain words, from `openai` 7.57. */
const REASONS: Readonly<Record<string, string>> = {
  organization_mismatch: 'another organization made it, so send the conversation with a key of that organization',
  end_user_mismatch: 'it was made for another end user (`safety_identifier`, `user`)',
  model_mismatch: 'another model made it, and this one cannot read it',
  prefix_mismatch: 'the conversation before it is not the one in which it was made',
  turn_boundary: 'it belongs to an earlier turn, and the model reads only that of the current one (`reasoningContext`)',
};

const REASON_SHOWN = 80;

/** Returns a warning for each reason for which the server withheld reasoning from the model, and one for all unknown ones. */
export function warningsOfWithheld(withheld: ResponseFacts['inputTransformations']): string[] {
  const counts = new Map<string, { readonly why: string; count: number }>();
  for (const { action = 'removed', reason: given } of asRecords(withheld)) {
    if (action !== 'removed') continue;
    const reason = asString(given) ?? 'no reason';
    const known = rowOf(REASONS, reason);
    const key = known === undefined ? '' : reason;
    const words = known ?? 'the server named a reason that is not known here';
    const counted = counts.get(key) ?? { why: `${words} (${excerpt(reason, REASON_SHOWN)})`, count: 0 };
    counted.count += 1;
    counts.set(key, counted);
  }
  return [...counts.values()].map(({ why, count }) => {
    const items = count === 1 ? '1 item' : `${count} items`;
    return `The server did not show the model reasoning of this conversation (${items}): ${why}.`;
  });
}
