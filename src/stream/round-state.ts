import type { RoundPart } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import type { Usage } from '../core/usage.js';
import { SlotTable } from './slot-table.js';

/** Everything a round remembers while it is read: the one place with mutable state. */
export class RoundState {
  readonly table = new SlotTable();
  readonly warnings: string[] = [];
  /** Wire call ids whose output the response brought along. */
  readonly answeredWireIds = new Set<string>();
  responseId: string | undefined;
  /** How many facts about the response were told already. */
  factsTold = 0;
  refused = false;
  usage: Usage = {};
  serviceTier: string | undefined;
  /** Where parts go: the batch of the chunk being read. */
  batch: RoundPart[] = [];

  readonly ids: RoundIds;

  constructor(ids: RoundIds) {
    this.ids = ids;
  }

  emit(part: RoundPart): void {
    this.batch.push(part);
  }

  partId(slotKey: string): string {
    return this.ids.partId(this.responseId, slotKey);
  }

  warn(message: string): void {
    if (!this.warnings.includes(message)) this.warnings.push(message);
  }
}
