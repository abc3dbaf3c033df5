import { pairKey, serverItem } from '../../core/call-items.js';
import type { JsonObject } from '../../core/json.js';
import type { ItemContent, ToolCallContent } from '../../core/message.js';
import type { CallKind } from '../../items/kind.js';
import { CALL_KINDS, toolOf } from '../../items/kinds.js';
import { defined } from '../../util/defined.js';
import { asId } from '../../util/guards.js';
import type { WireObject } from '../round-state.js';
import { type Address, GrowingText, type SlotSeed } from '../slot.js';
import { addressOfEvent, type EventHandler, type SlotTable } from '../slot-table.js';
import { ItemSlot, resultOf } from './kept.js';

/** A call that another item answers. The client or the server runs it. */
export class AnsweredSlot extends ItemSlot {
  readonly #kind: CallKind;
  /** The open input: the streamed text, and the text that closes its frame. */
  #input: { readonly streamed: GrowingText; readonly closing: string } | undefined;
  #hasInput = false;

  constructor(seed: SlotSeed, kind: CallKind) {
    super(seed);
    this.#kind = kind;
  }

  override begin(item: WireObject): void {
    super.begin(item);
    this.#beginInput();
  }

  override close(complete: boolean): void {
    this.#endInput();
    const isWhole = this.done && !this.#isCut;
    if (complete && !isWhole && this.#isClients) this.round.lose({ name: this.#tool, isCut: this.#isCut });
  }

  override content(): ItemContent | ToolCallContent | undefined {
    if (this.#isCut) return undefined;
    const kept = super.content();
    if (kept?.type !== 'item' || this.call === undefined) return kept;
    const { callId, name, arguments: text } = this.call;
    return { type: 'tool-call', callId, name, arguments: text, item: kept.item };
  }

  protected override differs(_address: Address, item: JsonObject): boolean {
    const { input } = this.#kind;
    return toolOf(this.#kind, item) !== this.#tool || JSON.stringify(input(item)) !== JSON.stringify(input(this.item));
  }

  /** Adds a piece of the input. */
  addInput(delta: string): void {
    if (this.done || this.#input === undefined) return;
    this.#input.streamed.add(delta);
    this.#emitInput(this.#kind.streaming?.write?.(delta) ?? delta);
  }

  get #tool(): string {
    return toolOf(this.#kind, this.item);
  }

  /** The client may have to answer the call. */
  get #isClients(): boolean {
    return this.#kind.runsAt(this.item) !== 'server';
  }

  /** The server closed a client's call as incomplete. */
  get #isCut(): boolean {
    return this.done && this.item['status'] === 'incomplete' && this.#isClients;
  }

  /** Shows a call as the server's if the item or an output marks it so. A later output may still do that. */
  protected show(): void {
    if (this.#isCut) return this.#endInput();
    const { item, round } = this;
    const wireCallId = asId(item['call_id']) ?? this.itemId;
    const input = JSON.stringify(this.#kind.input(item));
    this.#beginInput();
    this.#completeInput(input);
    const callId = (this.callId ??= this.claimCallId(wireCallId));
    const tool = this.#tool;
    const key = pairKey(this.itemType, item);
    const early = round.outputs.take(key)?.();
    if (early === undefined) round.calls.add(key, (output) => this.#answer(output, callId));
    if (early !== undefined || !this.#isClients) {
      round.emit({ type: 'hosted-call', callId, tool, input, item });
      if (early !== undefined) round.emit(resultOf(early, callId, tool));
      return;
    }
    this.call = {
      type: 'tool-call',
      callId,
      name: tool,
      arguments: input,
      item: serverItem(item),
      ...defined({ itemId: this.itemId, wireCallId: wireCallId === callId ? undefined : wireCallId }),
    };
    round.emit(this.call);
  }

  /** Takes the call from the client, because the response has its output. */
  #answer(output: JsonObject, callId: string): void {
    this.call = undefined;
    this.round.emit({ ...resultOf(output, callId, this.#tool), item: output });
  }

  /** Starts the input of a client's call, once, as soon as name and ids are known. */
  #beginInput(): void {
    const { streaming } = this.#kind;
    if (streaming === undefined || this.#hasInput || !this.#isClients) return;
    const frame = streaming.frame(this.item);
    const wireCallId = asId(this.item['call_id']) ?? (this.done ? this.itemId : undefined);
    if (frame === undefined || wireCallId === undefined) return;
    const callId = (this.callId ??= this.claimCallId(wireCallId));
    this.#hasInput = true;
    this.#input = { streamed: new GrowingText(), closing: frame.closing };
    const encoding = defined({ encoding: streaming.encoding });
    this.round.emit({ type: 'tool-input-start', callId, name: this.#tool, isItem: true, ...encoding });
    this.#emitInput(frame.opening);
  }

  /** Shows what was not streamed of a whole input. */
  #completeInput(json: string): void {
    if (this.#input === undefined) return;
    const { streaming } = this.#kind;
    const rest = this.#input.streamed.restOf(streaming?.text?.(this.item) ?? json) ?? '';
    this.#emitInput((streaming?.write?.(rest) ?? rest) + this.#input.closing);
    this.#endInput();
  }

  #endInput(): void {
    if (this.#input === undefined || this.callId === undefined) return;
    this.#input = undefined;
    this.round.emit({ type: 'tool-input-end', callId: this.callId });
  }

  #emitInput(delta: string): void {
    if (this.callId !== undefined && delta !== '')
      this.round.emit({ type: 'tool-input-delta', callId: this.callId, delta });
  }
}

/** Handlers of the events with a piece of an input. Events for a whole input are not needed, because the item has it. */
export const inputEvents: readonly (readonly [string, EventHandler])[] = CALL_KINDS.flatMap(({ type, streaming }) =>
  streaming?.event === undefined ? [] : [[streaming.event, (event, table) => grow(type, event, table)]],
);

function grow(itemType: string, event: WireObject, table: SlotTable): void {
  const { delta } = event;
  // Only AnsweredSlot has this type.
  const slot = table.find(itemType, addressOfEvent(event)) as AnsweredSlot | undefined;
  if (typeof delta === 'string') slot?.addInput(delta);
}
