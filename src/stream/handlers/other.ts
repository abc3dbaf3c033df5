import { pairKey, serverItem } from '../../core/call-items.js';
import type { JsonObject } from '../../core/json.js';
import type { ItemContent, ToolCallContent } from '../../core/message.js';
import type { HostedResult } from '../../core/part.js';
import { asId, asString } from '../../util/guards.js';
import type { WireObject } from '../round-state.js';
import { type Address, GrowingText, Slot, type SlotSeed } from '../slot.js';
import { addressOfEvent, type EventHandler, type EventTable, type SlotTable } from '../slot-table.js';
import { hasFailed, hostedKind, imageOf, searchedUrls } from '../../items/hosted.js';
import type { CallKind, HostedKind, OutputKind } from '../../items/kind.js';
import {
  answeredKind,
  CALL_KINDS,
  callKind,
  callOfOutput,
  isServersCall,
  outputKind,
  type StreamedEventName,
  toolOf,
} from '../../items/kinds.js';
import { defined } from '../../util/defined.js';

/** The items that may have something to show before they are whole. */
const IMAGE = 'image_generation_call';

/**
 * Every item that is neither message nor reasoning nor function call. Kept as it came, so that the next request can send
 * it back; shown where it is a tool at work.
 */
export class OtherSlot extends Slot {
  #item: JsonObject = {};
  readonly #family: CallKind | undefined;
  /** A call that the server closed as incomplete. */
  #isCut = false;
  /** The id of the call that the item is, once it is known. */
  #callId: string | undefined;
  /** The input of the call, once it has begun: what was streamed of its text, and what stands behind that. */
  #input: { readonly streamed: GrowingText; readonly closing: string; isOpen: boolean } | undefined;
  /** It is the output of a call that the response does not hold. */
  #isLoose = false;
  /** Something of the result was there before the item was whole. */
  #hasPreview = false;

  constructor(seed: SlotSeed) {
    super(seed);
    this.#family = callKind(seed.itemType);
  }

  begin(item: WireObject): void {
    this.#item = item as JsonObject;
    this.#beginInput();
    if (this.itemType === IMAGE && this.itemId !== undefined && this.#callId === undefined) this.preview({});
  }

  finish(item: WireObject): void {
    this.#item = item as JsonObject;
    this.done = true;
    this.#isCut = item['status'] === 'incomplete' && this.#isClients;
    if (!this.#isCut) this.#show();
    this.#endInput();
  }

  close(complete: boolean): void {
    this.#endInput();
    const isWhole = this.done && !this.#isCut;
    if (complete && !isWhole && this.#family !== undefined && this.#isClients)
      this.round.lose({ name: toolOf(this.#family, this.#item), isCut: this.#isCut });
  }

  content(): ItemContent | ToolCallContent | undefined {
    if (!this.done || this.#isCut) return undefined;
    if (this.#isLoose) {
      this.round.warnOfLooseOutput();
      return undefined;
    }
    const item = serverItem(this.#item);
    if (this.call === undefined) return { type: 'item', item };
    const { callId, name, arguments: text } = this.call;
    return { type: 'tool-call', callId, name, arguments: text, item };
  }

  override get saidCallId(): string | undefined {
    return asId(this.#item['call_id']);
  }

  /** A finished item is another one by its ids, else by what it says; an open one by its call id, unless id or place say otherwise. */
  override isAnother(address: Address, item: WireObject): boolean {
    if (this.done) return this.hasOtherIds(address) || this.#saysOther(address, item as JsonObject);
    const { itemId, index } = address;
    const isHere = index !== undefined && index === this.index;
    const isNamed = itemId !== undefined && itemId === this.itemId;
    return !isHere && !isNamed && this.isOtherCall(address);
  }

  /** A call asks for other things, an output answers another call; anything else differs where no id says that it is the same. */
  #saysOther({ itemId }: Address, item: JsonObject): boolean {
    if (this.#family !== undefined) {
      const { input } = this.#family;
      return (
        toolOf(this.#family, item) !== toolOf(this.#family, this.#item) ||
        JSON.stringify(input(item)) !== JSON.stringify(input(this.#item))
      );
    }
    if (outputKind(this.itemType) !== undefined) {
      const answers = callOfOutput(this.itemType) ?? '';
      if (this.round.calls.has(pairKey(answers, item))) return true;
    }
    return itemId === undefined && JSON.stringify(item) !== JSON.stringify(this.#item);
  }

  /** A piece of the input. */
  addInput(delta: string): void {
    if (this.done || this.#input === undefined) return;
    this.#input.streamed.add(delta);
    this.#emitInput(this.#write(delta));
  }

  /** What there is so far of a picture, in the form of the result; without one, only that the work has begun. */
  preview(soFar: { readonly result?: JsonObject }): void {
    this.#callId ??= this.claimCallId(this.itemId);
    this.#hasPreview ||= soFar.result !== undefined;
    this.round.emit({ type: 'hosted-preview', callId: this.#callId, tool: 'image_generation', ...soFar });
  }

  /** A call that the client may have to answer. */
  get #isClients(): boolean {
    return this.#family !== undefined && !isServersCall(this.itemType, this.#item);
  }

  #show(): void {
    const hosted = hostedKind(this.itemType);
    const output = outputKind(this.itemType);
    const callId = asId(this.#item['call_id']);
    if (this.itemType === 'function_call_output') {
      if (callId === undefined) this.#isLoose = true;
      else this.round.answeredWireIds.add(callId);
    }
    if (this.#family !== undefined) this.#showCall(this.#family);
    else if (output !== undefined) this.#showOutput(output, callId);
    else if (hosted !== undefined) this.#showHosted(hosted);
    else this.round.emit({ type: 'item', item: this.#item });
  }

  /** A call that the server runs is shown as such at once; any other may turn out to be one when its output comes. */
  #showCall(family: CallKind): void {
    const item = this.#item;
    const { round } = this;
    const wireCallId = asId(item['call_id']) ?? this.itemId;
    const input = JSON.stringify(family.input(item));
    this.#beginInput();
    this.#completeInput(input);
    const callId = (this.#callId ??= this.claimCallId(wireCallId));
    const tool = toolOf(family, item);
    const key = pairKey(this.itemType, item);
    const early = round.outputs.take(key)?.();
    if (early === undefined) round.calls.add(key, (output) => this.#answer(output));
    if (early !== undefined || isServersCall(this.itemType, item)) {
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

  /** What the response holds an output for ran at the server, so it is not run again. */
  #answer(output: JsonObject): void {
    this.call = undefined;
    const tool = this.#family === undefined ? this.itemType : toolOf(this.#family, this.#item);
    this.round.emit({ ...resultOf(output, this.#callId ?? '', tool), item: output });
  }

  #showOutput({ mayBeLate }: OutputKind, callId: string | undefined): void {
    const item = this.#item;
    const { round } = this;
    const answers = callOfOutput(this.itemType) ?? '';
    const key = pairKey(answers, item);
    const answer = round.calls.take(key);
    if (answer !== undefined) return answer(item);
    // What a program gives may come in a later response than the program.
    this.#isLoose = mayBeLate !== true;
    round.outputs.add(key, () => {
      this.#isLoose = false;
      return item;
    });
    if (mayBeLate === true && callId !== undefined) {
      const tool = answeredKind(this.itemType)?.tool ?? answers;
      round.emit({ ...resultOf(item, callId, tool), item, isLate: true });
    } else round.emit({ type: 'item', item });
  }

  #showHosted({ tool, ...family }: Omit<HostedKind, 'type'>): void {
    const item = this.#item;
    const { round } = this;
    const callId = (this.#callId ??= this.claimCallId(this.itemId));
    const image = imageOf(item);
    const result = family.result(item);
    const afterPreviews = image !== undefined && this.#hasPreview ? { ...result, result: image.base64 } : undefined;
    round.emit({ type: 'hosted-call', callId, tool, input: JSON.stringify(family.input(item)), item });
    round.emit({
      type: 'hosted-result',
      callId,
      tool,
      result,
      isError: hasFailed(item),
      ...defined({ afterPreviews }),
    });
    if (image !== undefined) round.emit({ type: 'file', ...image });
    for (const url of searchedUrls(item)) round.found(url, this.key);
  }

  /** Starts the input of a call that the client may have to answer, once, as soon as enough of it is known. */
  #beginInput(): void {
    const shown = this.#family?.streaming;
    if (shown === undefined || this.#input !== undefined || !this.#isClients) return;
    const frame = shown.frame(this.#item);
    const wireCallId = asId(this.#item['call_id']) ?? (this.done ? this.itemId : undefined);
    if (frame === undefined || wireCallId === undefined) return;
    const callId = (this.#callId ??= this.claimCallId(wireCallId));
    const name = this.#family === undefined ? this.itemType : toolOf(this.#family, this.#item);
    this.#input = { streamed: new GrowingText(), closing: frame.closing, isOpen: true };
    const encoding = defined({ encoding: shown.encoding });
    this.round.emit({ type: 'tool-input-start', callId, name, isItem: true, ...encoding });
    this.#emitInput(frame.opening);
  }

  /** The item is whole: what was not streamed of it. */
  #completeInput(json: string): void {
    if (this.#input?.isOpen !== true) return;
    const text = this.#family?.streaming?.text?.(this.#item) ?? json;
    const rest = this.#input.streamed.restOf(text) ?? '';
    this.#emitInput(this.#write(rest) + this.#input.closing);
    this.#endInput();
  }

  #endInput(): void {
    if (this.#input?.isOpen !== true || this.#callId === undefined) return;
    this.#input.isOpen = false;
    this.round.emit({ type: 'tool-input-end', callId: this.#callId });
  }

  #write(text: string): string {
    return this.#family?.streaming?.write?.(text) ?? text;
  }

  #emitInput(delta: string): void {
    if (this.#callId !== undefined && delta !== '')
      this.round.emit({ type: 'tool-input-delta', callId: this.#callId, delta });
  }
}

function resultOf(output: JsonObject, callId: string, tool: string): HostedResult {
  const family = outputKind(asString(output['type']) ?? '');
  const isError = family?.saysStatus !== true && hasFailed(output);
  return { type: 'hosted-result', callId, tool, result: family?.result(output) ?? null, isError };
}

const streamedEvents = Object.fromEntries(
  CALL_KINDS.flatMap(({ type, streaming }) =>
    streaming?.event === undefined
      ? []
      : [[streaming.event, (event: WireObject, table: SlotTable) => grow(type, event, table)]],
  ),
) as Readonly<Record<StreamedEventName, EventHandler>>;

/** The events that say that an input is complete are not needed: the item says so too. */
export const otherEvents = {
  ...streamedEvents,
  // A picture on its way, in the form of the result.
  'response.image_generation_call.partial_image': (event, table) => {
    const base64 = asId(event['partial_image_b64']);
    if (base64 !== undefined) slotOfImage(event, table)?.preview({ result: { result: base64 } });
  },
} satisfies EventTable;

function grow(itemType: string, event: WireObject, table: SlotTable): void {
  const { delta } = event;
  // The table gives what it is asked for.
  const slot = table.find(itemType, addressOfEvent(event)) as OtherSlot | undefined;
  if (typeof delta === 'string') slot?.addInput(delta);
}

/** Opened where the server forgot to announce it. Where another item stands at its place, the event means nothing. */
function slotOfImage(event: WireObject, table: SlotTable): OtherSlot | undefined {
  const address = addressOfEvent(event);
  const found = table.find(IMAGE, address);
  if (found === undefined && (address.itemId === undefined || table.isTaken(address))) return undefined;
  const slot = found ?? table.add(IMAGE, address);
  return slot.done ? undefined : (slot as OtherSlot);
}
