import type { Dice } from './dice.js';
import type { Item, Mangle, MangleKind } from './scenario.js';

/** What may be done to one item; only one of them to each, so that what the server meant stays clear. */
const TO_ITEM: readonly MangleKind[] = [
  'added-again',
  'added-again-at-end',
  'added-late',
  'done-again',
  'done-again-at-end',
  'done-first',
  'text-done-first',
  'drop-added',
  'drop-deltas',
  'drop-last-delta',
  'drop-middle-delta',
  'drop-text-done',
  'drop-item-done',
];

/** What is done to all items; at most one, and ids stay unambiguous: what nobody could attribute is not asked for. */
export function generateMangles(dice: Dice, items: readonly Item[], interleave: boolean): Mangle[] {
  if (!dice.chance(0.4)) return [];
  const mangles: Mangle[] = [];
  const overall = dice.weighted<MangleKind | undefined>([
    [50, undefined],
    [12, 'no-index'],
    [12, 'no-ids'],
    [8, 'fresh-ids'],
    [12, 'empty-snapshot'],
    [interleave ? 15 : 0, 'closings-swapped'],
  ]);
  if (overall !== undefined) mangles.push({ how: overall, item: -1 });
  items.forEach((item, at) => {
    if (item.type !== 'reasoning' && dice.chance(0.5)) {
      const how = dice.pick(TO_ITEM);
      if (isClear(how, overall)) mangles.push({ how, item: at });
    }
  });
  return mangles;
}

/** With other ids at every event, what comes after an item's end cannot be told from a new item. */
function isClear(how: MangleKind, overall: MangleKind | undefined): boolean {
  if (overall === 'fresh-ids') return how === 'drop-deltas' || how === 'drop-last-delta' || how === 'drop-text-done';
  // An event with an unknown id and no index belongs to the only open item, whichever that is.
  if (overall === 'no-index') return how !== 'drop-added' && how !== 'added-late';
  // Announced again where the stream ends, it may be another one that was never finished.
  if (overall === 'no-ids') return how !== 'added-again-at-end';
  if (overall === 'empty-snapshot') return how !== 'drop-item-done' && how !== 'drop-middle-delta';
  return true;
}
