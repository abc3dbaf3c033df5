import type { JsonObject } from '../../core/json.js';
import type { HostedKind } from '../../items/kind.js';
import { HOSTED_KINDS, hasFailed } from '../../items/kinds.js';
import { defined } from '../../util/defined.js';
import type { WireObject } from '../round-state.js';
import type { SlotSeed } from '../slot.js';
import { addressOfEvent, type EventHandler, type SlotTable } from '../slot-table.js';
import { ItemSlot } from './kept.js';

/** A call of a tool that the server runs, with its result. */
export class HostedSlot extends ItemSlot {
  readonly #kind: HostedKind;
  /** Part of the result was shown before the item was whole. */
  #hasPreview = false;

  constructor(seed: SlotSeed, kind: HostedKind) {
    super(seed);
    this.#kind = kind;
  }

  override begin(item: WireObject): void {
    super.begin(item);
    if (this.#kind.preview !== undefined && this.itemId !== undefined && this.callId === undefined) this.preview();
  }

  /** Shows an unfinished result. Without one, shows that the tool has begun. */
  preview(result?: JsonObject): void {
    const callId = (this.callId ??= this.claimCallId(this.itemId));
    this.#hasPreview ||= result !== undefined;
    this.round.emit({ type: 'hosted-preview', callId, tool: this.#kind.tool, ...defined({ result }) });
  }

  protected show(): void {
    const { item, round } = this;
    const { tool, input, result: toResult, preview, file: toFile, sources } = this.#kind;
    const callId = (this.callId ??= this.claimCallId(this.itemId));
    const result = toResult(item);
    const final = this.#hasPreview ? preview?.final(item) : undefined;
    const file = toFile?.(item);
    round.emit({ type: 'hosted-call', callId, tool, input: JSON.stringify(input(item)), item });
    round.emit({
      type: 'hosted-result',
      callId,
      tool,
      result,
      isError: hasFailed(item),
      ...(final !== undefined && { afterPreviews: { ...result, ...final } }),
    });
    if (file !== undefined) round.emit({ type: 'file', ...file });
    for (const url of sources?.(item) ?? []) round.found(url, this.key);
  }
}

/** Handlers of the events with an unfinished result. */
export const previewEvents: readonly (readonly [string, EventHandler])[] = HOSTED_KINDS.flatMap(({ type, preview }) =>
  preview === undefined
    ? []
    : [
        [
          preview.event,
          (event, table) => {
            // JSON.parse created it.
            const result = preview.soFar(event as JsonObject);
            if (result !== undefined) slotOf(type, event, table)?.preview(result);
          },
        ],
      ],
);

/** Opens the slot if the server forgot to announce it. Ignores events for the position of another item. */
function slotOf(itemType: string, event: WireObject, table: SlotTable): HostedSlot | undefined {
  const address = addressOfEvent(event);
  const found = table.find(itemType, address);
  if (found === undefined && (address.itemId === undefined || table.isTaken(address))) return undefined;
  const slot = found ?? table.add(itemType, address);
  return slot.done ? undefined : (slot as HostedSlot);
}
