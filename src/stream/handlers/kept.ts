import { pairKey, serverItem } from '../../core/call-items.js';
import type { JsonObject } from '../../core/json.js';
import type { ItemContent, ToolCallContent } from '../../core/message.js';
import type { HostedResult } from '../../core/part.js';
import type { CallKind } from '../../items/kind.js';
import { answeredKind, hasFailed } from '../../items/kinds.js';
import { FUNCTION_OUTPUT } from '../../items/plain.js';
import { asId, asString } from '../../util/guards.js';
import type { WireObject } from '../round-state.js';
import { type Address, Slot } from '../slot.js';

/** An item that is kept unchanged, so that the next request can send it back. */
export abstract class ItemSlot extends Slot {
  protected item: JsonObject = {};
  protected callId: string | undefined;

  begin(item: WireObject): void {
    this.item = item as JsonObject;
  }

  finish(item: WireObject): void {
    this.item = item as JsonObject;
    this.done = true;
    this.show();
  }

  /** Emits the parts of the whole item. */
  protected abstract show(): void;

  /** Compares the members of items that no id distinguishes. */
  protected differs(address: Address, item: JsonObject): boolean {
    return address.itemId === undefined && JSON.stringify(item) !== JSON.stringify(this.item);
  }

  close(_complete: boolean): void {}

  content(): ItemContent | ToolCallContent | undefined {
    return this.done ? { type: 'item', item: serverItem(this.item) } : undefined;
  }

  override get saidCallId(): string | undefined {
    return asId(this.item['call_id']);
  }

  /** Compares a finished item by ids, then by members; an open item by its call id, unless place or id match. */
  override isAnother(address: Address, item: WireObject): boolean {
    if (this.done) return this.hasOtherIds(address) || this.differs(address, item as JsonObject);
    const { itemId, index } = address;
    const isHere = index !== undefined && index === this.index;
    const isNamed = itemId !== undefined && itemId === this.itemId;
    return !isHere && !isNamed && this.isOtherCall(address);
  }
}

/** An output of a call, or an item that belongs to no tool. */
export class KeptSlot extends ItemSlot {
  /** The response does not include the call of this output. */
  #isLoose = false;

  protected show(): void {
    const { item, round } = this;
    const answered = answeredKind(this.itemType);
    if (answered !== undefined) return this.#showOutput(answered);
    const wireCallId = asId(item['call_id']);
    if (this.itemType === FUNCTION_OUTPUT) {
      if (wireCallId === undefined) this.#isLoose = true;
      else round.answeredWireIds.add(wireCallId);
    }
    round.emit({ type: 'item', item });
  }

  #showOutput({ type, tool, output: { mayBeLate } }: CallKind): void {
    const { item, round } = this;
    const key = pairKey(type, item);
    const answer = round.calls.take(key);
    if (answer !== undefined) return answer(item);
    this.#isLoose = mayBeLate !== true;
    round.outputs.add(key, () => {
      this.#isLoose = false;
      return item;
    });
    const callId = asId(item['call_id']);
    if (mayBeLate === true && callId !== undefined) round.emit({ ...resultOf(item, callId, tool), item, isLate: true });
    else round.emit({ type: 'item', item });
  }

  override content(): ItemContent | ToolCallContent | undefined {
    if (!this.done || !this.#isLoose) return super.content();
    this.round.warnOfLooseOutput();
    return undefined;
  }

  protected override differs(address: Address, item: JsonObject): boolean {
    const answers = answeredKind(this.itemType)?.type;
    if (answers !== undefined && this.round.calls.has(pairKey(answers, item))) return true;
    return super.differs(address, item);
  }
}

/** Returns the result that shows an output. */
export function resultOf(output: JsonObject, callId: string, tool: string): HostedResult {
  const kind = answeredKind(asString(output['type']) ?? '')?.output;
  const isError = kind?.saysStatus !== true && hasFailed(output);
  return { type: 'hosted-result', callId, tool, result: kind?.result(output) ?? null, isError };
}
