import type { RoundChange } from '../loop/between-rounds.js';
import type { JournalStep, MarkRecord } from './journal.js';
import { toPlain } from './plain.js';

/** Keeps a step of a journal, as `keep` does. */
type Keep = (step: JournalStep, run: () => Promise<MarkRecord>) => Promise<MarkRecord>;

/** Returns the changes to a round, of this attempt or an earlier one. */
export async function keepChange(
  keep: Keep,
  place: { readonly call: number; readonly roundNumber: number; readonly modelId: string },
  decide: () => Promise<RoundChange>,
): Promise<RoundChange> {
  const step = { key: `${place.call}/between/${place.roundNumber}`, kind: 'mark', name: place.modelId } as const;
  const record = await keep(step, async () => ({ version: 1, change: toPlain(await decide()) }));
  // Records are checked when they are read.
  return record.change ?? {};
}
