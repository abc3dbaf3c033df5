import { type CallMembers, membersOfCall } from '../../core/call-items.js';
import type { RoundToolCall } from '../../core/part.js';
import { asId, asString, isRecord } from '../../util/guards.js';
import type { WireObject } from '../round-state.js';
import { type Address, GrowingText, Slot } from '../slot.js';
import { addressOfEvent, type EventTable, type SlotTable } from '../slot-table.js';
import { defined } from '../../util/defined.js';
import { parseJson, stableJson } from '../../util/json.js';

/** Function calls: arguments are gathered, and the call is emitted once, when they are complete. */
export class FunctionCallSlot extends Slot {
  #wireCallId: string | undefined;
  #name: string | undefined;
  /** What else the items say. */
  #members: CallMembers | undefined;
  /** Set once the call has been announced. */
  #callId: string | undefined;
  readonly #streamed = new GrowingText();
  /** The arguments that the finished item said, which need not be the best. */
  #said: string | undefined;
  /** The best complete text so far. */
  #final: string | undefined;
  /** It parses, so no other is better. */
  #finalIsJson = false;
  /** Arguments that stood in `output_item.added` already (OpenClaw sends the whole call there). */
  #initial = '';
  /** The server said that the arguments are complete. */
  #argumentsDone = false;
  /** The streamed arguments did not parse although they were announced as complete: those of the item count. */
  #awaitsItem = false;
  /** The server closed the item as incomplete: there is no call in it. */
  #isCut = false;
  #inputEnded = false;

  begin(item: WireObject): void {
    this.#initial = argumentsOf(item['arguments']) ?? this.#initial;
    this.#describe(item);
  }

  finish(item: WireObject): void {
    this.#describe(item);
    const said = argumentsOf(item['arguments']);
    this.#said = said ?? '';
    this.#keepIfBetter(said);
    this.done = true;
    // Cut off by a limit: the server closes the item, but there is no call in it.
    this.#isCut = item['status'] === 'incomplete' && this.call === undefined;
    if (this.#isCut) this.#endInput();
    else this.#emitCall();
  }

  /** Without the server's word that it finished, half-gathered arguments are no call; with it, even broken ones are. */
  close(complete: boolean): void {
    if (!this.done && complete && (this.#argumentsDone || isJson(this.#bestArguments()))) {
      this.done = true;
      this.#emitCall();
    }
    this.#endInput();
    const isWhole = this.call !== undefined || this.repeats !== undefined;
    if (complete && !isWhole) this.round.lose({ name: this.#name, isCut: this.#isCut });
  }

  content(): RoundToolCall | undefined {
    // What came after the call was emitted still belongs to it.
    return this.call === undefined ? undefined : { ...this.call, ...this.#facts() };
  }

  override get saidCallId(): string | undefined {
    return this.#wireCallId;
  }

  override isSameCall({ callId }: Address): boolean {
    return callId !== undefined && this.#wireCallId === callId;
  }

  /** Gemini relays give two calls one `call_id` and no other (TanStack/ai#199): other arguments make it another call. */
  override isAnother(address: Address, item: WireObject): boolean {
    if (!this.done) return false;
    if (this.hasOtherIds(address) || this.#name !== item['name']) return true;
    const said = argumentsOf(item['arguments']) ?? '';
    // What was cut off is no call of its own; nor is a call whose id comes again with nothing, or with the same JSON in other spelling.
    const saysNothing = said.trim() === '' && (address.callId ?? address.itemId) !== undefined;
    if (saysNothing || !isJson(said)) return false;
    return ![this.#said, this.call?.arguments].some((known) => isSameJson(known, said));
  }

  addArguments(event: WireObject, delta: string): void {
    if (this.done || this.call !== undefined) return;
    this.#streamed.add(delta);
    this.#announce(event);
    if (this.#callId !== undefined) this.round.emit({ type: 'tool-input-delta', callId: this.#callId, delta });
  }

  completeArguments(event: WireObject): void {
    if (this.done || this.call !== undefined) return;
    this.#announce(event);
    const isNew = this.#keepIfBetter(argumentsOf(event['arguments']));
    this.#argumentsDone = true;
    // GitHub Copilot streams ciphertext and vLLM drops the tail: what does not parse waits for the item. It is looked at
    // once: the event may be repeated.
    if (this.#name === undefined || (this.#awaitsItem && !isNew)) return;
    if (isJson(this.#bestArguments())) this.#emitCall();
    else this.#awaitsItem = true;
  }

  /** The item's last word counts. */
  #describe(item: WireObject): void {
    const said = membersOfCall(item);
    if (said !== undefined) this.#members = { ...this.#members, ...said };
    this.#announce(item);
  }

  /** Starts the tool input as soon as the name is known; servers differ in where they put name and call id. */
  #announce(source: WireObject): void {
    this.#name ??= asId(source['name']);
    this.#wireCallId ??= asId(source['call_id']);
    if (this.#callId !== undefined || this.#name === undefined || this.repeats !== undefined) return;
    this.#callId = this.claimCallId(this.#wireCallId);
    this.round.emit({ type: 'tool-input-start', callId: this.#callId, name: this.#name });
    const streamed = this.#streamed.toString();
    if (streamed !== '') this.round.emit({ type: 'tool-input-delta', callId: this.#callId, delta: streamed });
  }

  /** Emits the call, once. A call that never got a name is emitted with an empty one, so that it is answered all the same. */
  #emitCall(): void {
    if (this.call !== undefined) return;
    const complete = this.#bestArguments();
    if (this.#isRepetition(complete)) return;
    if (this.repeats !== undefined) {
      this.repeats = undefined;
      this.#announce({});
    }
    this.#callId ??= this.claimCallId(this.#wireCallId);
    const rest = this.#streamed.restOf(complete);
    if (rest !== undefined && rest !== '' && this.#name !== undefined)
      this.round.emit({ type: 'tool-input-delta', callId: this.#callId, delta: rest });
    this.#endInput();
    this.call = {
      type: 'tool-call',
      callId: this.#callId,
      name: this.#name ?? '',
      arguments: complete,
      ...this.#facts(),
    };
    this.round.emit(this.call);
  }

  /** A call that was emitted already, announced once more. */
  #isRepetition(complete: string): boolean {
    const emitted = this.repeats?.call?.arguments;
    return emitted !== undefined && (complete.trim() === '' || complete === emitted);
  }

  /** The server's ids; its call id only where we had to choose another. And what else it said. */
  #facts(): Pick<RoundToolCall, 'itemId' | 'wireCallId' | 'members'> {
    const wireCallId = this.#wireCallId === this.#callId ? undefined : this.#wireCallId;
    return defined({ itemId: this.itemId, wireCallId, members: this.#members });
  }

  #endInput(): void {
    if (this.#inputEnded || this.#callId === undefined || this.#name === undefined) return;
    this.#inputEnded = true;
    this.round.emit({ type: 'tool-input-end', callId: this.#callId });
  }

  /** A later complete text replaces an earlier one only if it is better: it parses, or there was none. Says whether it did. */
  #keepIfBetter(complete: string | undefined): boolean {
    if (complete === undefined || this.#finalIsJson) return false;
    const parses = isJson(complete);
    if (this.#final !== undefined && !parses) return false;
    this.#final = complete;
    this.#finalIsJson = parses;
    return true;
  }

  /** The first that parses of: the complete text, the streamed one, the one announced with the item; else the longest. */
  #bestArguments(): string {
    const texts = [this.#final ?? '', this.#streamed.toString(), this.#initial].filter((text) => text.trim() !== '');
    return texts.find(isJson) ?? texts.reduce((best, text) => (text.length > best.length ? text : best), '');
  }
}

export const functionCallEvents = {
  'response.function_call_arguments.delta': (event, table) => {
    const { delta } = event;
    const slot = slotOf(event, table);
    if (typeof delta === 'string' && delta !== '') slot.addArguments(event, delta);
  },
  // Never sent by llama.cpp; the only one with arguments from some models.
  'response.function_call_arguments.done': (event, table) => slotOf(event, table).completeArguments(event),
} satisfies EventTable;

function slotOf(event: WireObject, table: SlotTable): FunctionCallSlot {
  // The table gives what it is asked for.
  return table.findOrAdd('function_call', addressOfEvent(event)) as FunctionCallSlot;
}

/** Some servers send the arguments as an object. */
function argumentsOf(value: unknown): string | undefined {
  return asString(value) ?? (isRecord(value) ? JSON.stringify(value) : undefined);
}

function isSameJson(known: string | undefined, said: string): boolean {
  return known === said || (known !== undefined && stableJson(parseJson(known)) === stableJson(parseJson(said)));
}

/** No arguments at all is how some servers spell `{}`. */
function isJson(text: string): boolean {
  return text.trim() === '' || parseJson(text) !== undefined;
}
