import { type CallMembers, membersOfCall } from '../../core/call-items.js';
import type { ToolCallContent } from '../../core/message.js';
import { asId, asString, isRecord } from '../../util/guards.js';
import type { WireObject } from '../round-state.js';
import { type Address, GrowingText, Slot } from '../slot.js';
import { addressOfEvent, type EventTable, type SlotTable } from '../slot-table.js';
import { defined } from '../../util/defined.js';
import { parseJson, stableJson } from '../../util/json.js';

/** Gathers the arguments of a function call and emits the call once, when they are complete. */
export class FunctionCallSlot extends Slot {
  #wireCallId: string | undefined;
  #name: string | undefined;
  /** Unknown members of the call's items, which go back with the call. */
  #members: CallMembers | undefined;
  #callId: string | undefined;
  readonly #texts = new ArgumentTexts();
  /** `complete`: the server has sent `arguments.done`. `cut`: the server closed the item as incomplete. */
  #arguments: 'open' | 'complete' | 'broken' | 'cut' = 'open';
  #input: 'none' | 'open' | 'closed' = 'none';

  begin(item: WireObject): void {
    this.#texts.announce(argumentsOf(item['arguments']));
    this.#describe(item);
  }

  finish(item: WireObject): void {
    this.#describe(item);
    this.#texts.finish(argumentsOf(item['arguments']));
    this.done = true;
    if (item['status'] !== 'incomplete' || this.call !== undefined) return this.#emitCall();
    // A limit cut the item off, so there is no call in it.
    this.#arguments = 'cut';
    this.#endInput();
  }

  /** Emits incomplete arguments only if the server claims that the response is complete; then even broken ones. */
  close(complete: boolean): void {
    if (!this.done && complete && (this.#arguments !== 'open' || isJson(this.#texts.best()))) {
      this.done = true;
      this.#emitCall();
    }
    this.#endInput();
    const isWhole = this.call !== undefined || this.repeats !== undefined;
    if (complete && !isWhole) this.round.lose({ name: this.#name, isCut: this.#arguments === 'cut' });
  }

  content(): ToolCallContent | undefined {
    // Includes members that the server sent after the call was emitted.
    return this.call === undefined ? undefined : { ...this.call, ...this.#facts() };
  }

  override get saidCallId(): string | undefined {
    return this.#wireCallId;
  }

  override isSameCall({ callId }: Address): boolean {
    return callId !== undefined && this.#wireCallId === callId;
  }

  /**
   * Returns true for other arguments: Gemini relays use one `call_id` for two calls and no other id (TanStack/ai#199).
   */
  override isAnother(address: Address, item: WireObject): boolean {
    if (!this.done) return false;
    if (this.hasOtherIds(address) || this.#name !== item['name']) return true;
    const text = argumentsOf(item['arguments']) ?? '';
    // Cut-off text is no new call, nor is a repeated id with no arguments or with the same JSON in other spelling.
    const isEmpty = text.trim() === '' && (address.callId ?? address.itemId) !== undefined;
    if (isEmpty || !isJson(text)) return false;
    return ![this.#texts.ofItem, this.call?.arguments].some((known) => isSameJson(known, text));
  }

  addArguments(event: WireObject, delta: string): void {
    if (this.done || this.call !== undefined) return;
    this.#texts.streamed.add(delta);
    this.#announce(event);
    if (this.#callId !== undefined) this.round.emit({ type: 'tool-input-delta', callId: this.#callId, delta });
  }

  completeArguments(event: WireObject): void {
    if (this.done || this.call !== undefined) return;
    this.#announce(event);
    const isNew = this.#texts.complete(argumentsOf(event['arguments']));
    const wasBroken = this.#arguments === 'broken';
    if (!wasBroken) this.#arguments = 'complete';
    // Texts are parsed once, because a server may repeat the event.
    if (this.#name === undefined || (wasBroken && !isNew)) return;
    // GitHub Copilot streams ciphertext and vLLM drops the tail: text that does not parse waits for the item.
    if (isJson(this.#texts.best())) this.#emitCall();
    else this.#arguments = 'broken';
  }

  #describe(item: WireObject): void {
    const members = membersOfCall(item);
    if (members !== undefined) this.#members = { ...this.#members, ...members };
    this.#announce(item);
  }

  /** Starts the tool input once the name is known. Servers send name and call id in different events. */
  #announce(source: WireObject): void {
    this.#name ??= asId(source['name']);
    this.#wireCallId ??= asId(source['call_id']);
    if (this.#callId !== undefined || this.#name === undefined || this.repeats !== undefined) return;
    this.#callId = this.claimCallId(this.#wireCallId);
    this.#input = 'open';
    this.round.emit({ type: 'tool-input-start', callId: this.#callId, name: this.#name });
    const streamed = this.#texts.streamed.toString();
    if (streamed !== '') this.round.emit({ type: 'tool-input-delta', callId: this.#callId, delta: streamed });
  }

  /** Emits the call, once. A call without a name gets an empty one, so that it is answered. */
  #emitCall(): void {
    if (this.call !== undefined) return;
    const best = this.#texts.best();
    if (this.#isRepetition(best)) return;
    if (this.repeats !== undefined) {
      this.repeats = undefined;
      this.#announce({});
    }
    this.#callId ??= this.claimCallId(this.#wireCallId);
    const rest = this.#texts.streamed.restOf(best);
    if (rest !== undefined && rest !== '' && this.#input === 'open')
      this.round.emit({ type: 'tool-input-delta', callId: this.#callId, delta: rest });
    this.#endInput();
    this.call = {
      type: 'tool-call',
      callId: this.#callId,
      name: this.#name ?? '',
      arguments: best,
      ...this.#facts(),
    };
    this.round.emit(this.call);
  }

  #isRepetition(text: string): boolean {
    const emitted = this.repeats?.call?.arguments;
    return emitted !== undefined && (text.trim() === '' || text === emitted);
  }

  /** Returns the wire call id only if the call was given another id. */
  #facts(): Pick<ToolCallContent, 'itemId' | 'wireCallId' | 'members'> {
    const wireCallId = this.#wireCallId === this.#callId ? undefined : this.#wireCallId;
    return defined({ itemId: this.itemId, wireCallId, members: this.#members });
  }

  #endInput(): void {
    if (this.#input !== 'open' || this.#callId === undefined) return;
    this.#input = 'closed';
    this.round.emit({ type: 'tool-input-end', callId: this.#callId });
  }
}

/** The argument texts that a server sent for one call, of which the best one counts. */
class ArgumentTexts {
  readonly streamed = new GrowingText();
  /** From `output_item.added`: OpenClaw sends the whole call there. */
  #announced: string | undefined;
  /** The best of the texts that the server sent as complete. */
  #complete: { readonly text: string; readonly isJson: boolean } | undefined;
  /** From the finished item, better or not. */
  ofItem: string | undefined;

  announce(text: string | undefined): void {
    this.#announced = text ?? this.#announced;
  }

  finish(text: string | undefined): void {
    this.ofItem = text ?? '';
    this.complete(text);
  }

  /** Keeps a complete text if it is the first, or the first that parses. Returns whether it was kept. */
  complete(text: string | undefined): boolean {
    if (text === undefined || this.#complete?.isJson === true) return false;
    const parses = isJson(text);
    if (this.#complete !== undefined && !parses) return false;
    this.#complete = { text, isJson: parses };
    return true;
  }

  /** Returns the first that parses of the complete, the streamed and the announced text; else the longest. */
  best(): string {
    const texts = [this.#complete?.text, this.streamed.toString(), this.#announced].filter(
      (text): text is string => text !== undefined && text.trim() !== '',
    );
    return texts.find(isJson) ?? texts.reduce((best, text) => (text.length > best.length ? text : best), '');
  }
}

export const functionCallEvents = {
  'response.function_call_arguments.delta': (event, table) => {
    const { delta } = event;
    const slot = slotOf(event, table);
    if (typeof delta === 'string' && delta !== '') slot.addArguments(event, delta);
  },
  // llama.cpp never sends it; from some models it is the only event with arguments.
  'response.function_call_arguments.done': (event, table) => slotOf(event, table).completeArguments(event),
} satisfies EventTable;

function slotOf(event: WireObject, table: SlotTable): FunctionCallSlot {
  // Safe: `findOrAdd` returns a slot of the type that it is given.
  return table.findOrAdd('function_call', addressOfEvent(event)) as FunctionCallSlot;
}

/** Accepts an object too, which some servers send. */
function argumentsOf(value: unknown): string | undefined {
  return asString(value) ?? (isRecord(value) ? JSON.stringify(value) : undefined);
}

function isSameJson(known: string | undefined, text: string): boolean {
  return known === text || (known !== undefined && stableJson(parseJson(known)) === stableJson(parseJson(text)));
}

/** Accepts an empty text, which some servers send for `{}`. */
function isJson(text: string): boolean {
  return text.trim() === '' || parseJson(text) !== undefined;
}
