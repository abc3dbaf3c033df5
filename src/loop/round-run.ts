import type { CleanError } from '../core/clean-text.js';
import type { CarriedCall } from '../core/carrier.js';
import type { Turn } from '../core/entry.js';
import type { AssistantContent, Message, ToolResultContent } from '../core/message.js';
import type { CallPart, KeptItem, RoundPart, RoundResult } from '../core/part.js';
import type { KnownItems } from '../history/known-items.js';
import { pair } from '../history/pair.js';
import { isApprovalRequest } from '../items/plain.js';
import type { TextFilter } from './broken-round.js';
import { CarrierWriter, type LoopPart } from './carrier-writer.js';
import { JsonAnswer } from './json-answer.js';
import type { LoopOptions, RoundPlace } from './loop-options.js';
import { hiddenIn } from './own-calls.js';
import { RoundCalls } from './round-calls.js';

type Delta = Extract<RoundPart, { type: 'text-delta' | 'reasoning-delta' | 'tool-input-delta' }>;

/** A round under way: its outgoing parts, its calls, and what it adds to the conversation. */
export class RoundRun {
  result: RoundResult | undefined;
  /** Set once the model calls something. */
  calls: RoundCalls | undefined;
  readonly #options: LoopOptions;
  readonly #round: RoundPlace;
  readonly #carriers: CarrierWriter;
  /** Set if texts are changed. */
  readonly #filter: TextFilter | undefined;
  /** The ends of open parts, by their ids. */
  readonly #open = new Map<string, 'text-end' | 'reasoning-end' | 'tool-input-end'>();
  /** Parts from before the round that its carrier lacks. */
  #before: readonly LoopPart[] | undefined;
  /** Hidden calls of earlier rounds, whose outputs arrived before the round. */
  readonly #late: readonly CarriedCall[];

  constructor(options: LoopOptions, round: RoundPlace) {
    this.#options = options;
    this.#round = round;
    const { ids } = round;
    const isCarried = options.carrier !== false;
    this.#late = isCarried ? hiddenIn(round.late ?? []) : [];
    if (isCarried && (round.texts !== undefined || this.#late.length > 0)) this.#before = this.#partsBefore();
    this.#carriers = new CarrierWriter((slot) => ids.partId(round.responseId, slot), options.carrier || undefined);
    this.#filter = round.filter ?? (options.call.responseFormat.type === 'json' ? new JsonAnswer() : undefined);
  }

  /** Turns a batch of round parts into the caller's, and starts tools that may start early. */
  take(batch: readonly RoundPart[]): CallPart[] {
    const emitted: CallPart[] = [];
    for (const part of batch) {
      if (this.#isPlainDelta(part)) emitted.push(part);
      else {
        // The name of the round depends on the id of its response.
        if (this.#before !== undefined && part.type !== 'response') this.#carry(this.#before, emitted);
        this.#note(part);
        for (const one of this.#translate(part)) this.#carriers.pass(one, emitted);
      }
    }
    // The whole batch is read first, because it may exceed the limit of calls.
    if (this.calls !== undefined && this.calls.exceeded === undefined) this.calls.tools.startEarly();
    return emitted;
  }

  #partsBefore(): readonly LoopPart[] {
    return [
      ...this.#late.map(({ callId }) => ({ type: 'unshown-call', callId, hides: true }) as const),
      ...(this.#round.texts ?? []).map((text) => ({ type: 'added-text', text }) as const),
    ];
  }

  #carry(before: readonly LoopPart[], emitted: CallPart[]): void {
    this.#before = undefined;
    for (const part of before) this.#carriers.pass(part, emitted);
  }

  /** Ends the round with an error: closes its open parts, and drops its content. */
  endWithError(error: CleanError): CallPart[] {
    const endings = [...this.#open].map(([id, type]): RoundPart =>
      type === 'tool-input-end' ? { type, callId: id } : { type, id },
    );
    const result: RoundResult = {
      outcome: 'failed',
      finishReason: 'error',
      usage: {},
      content: [],
      answeredCallIds: [],
      warnings: [],
      error,
    };
    return this.take([...endings, { type: 'round-end', result }]);
  }

  /** Ends the reading. Releases the part that waits for a carrier, if nothing is hidden. */
  afterRead(): CallPart[] {
    const { calls, result } = this;
    if (result !== undefined && result.answeredCallIds.length > 0) calls?.takeServerAnswers(result);
    const hides = calls?.hides === true || this.#carriers.hasPending || this.#late.length > 0;
    return this.#options.carrier && hides ? [] : this.#carriers.flushHeld();
  }

  /**
   * Settles the round. A carrier contains hidden parts, with the client's first call if any. `callsClient`: the client
   * gets its calls, because the response did not fail.
   */
  async finishRound({ callsClient }: { readonly callsClient: boolean }): Promise<CallPart[]> {
    const { calls } = this;
    // A round without calls has only items and calls of earlier rounds to hide.
    if (calls === undefined) return this.#carriers.flushHidden({ calls: this.#late, order: [], asked: [] });
    // The client may answer its calls before the user decides, so one of them carries the mark.
    const handsOver = callsClient && calls.client.waiting.size > 0;
    const marks = handsOver ? calls.awaited : [];
    const [first, ...others] = handsOver ? calls.client.handOver({ isOver: true }) : [];
    // Marks contain nothing of the round, so `carrier: 'none'` does not stop them.
    const end = { calls: [...this.#late, ...calls.hidden()], order: calls.order, asked: marks };
    const carried = first === undefined ? this.#carriers.flushHidden(end) : this.#carriers.flushHeld();
    if (!callsClient) return carried;
    const awaitingUser = calls.tools.calls.awaitingUser();
    const requests = awaitingUser.length === 0 ? [] : await this.#options.signer.requestApprovals(awaitingUser);
    if (first === undefined) return [...carried, ...requests];
    return [...carried, ...requests, this.#carriers.carryBeside(first, end), ...others];
  }

  /** Releases the part that waits for a carrier, if the call ends before the round is settled. */
  flushHeld(): CallPart[] {
    return this.#carriers.flushHeld();
  }

  /** Returns what the round adds to the conversation: its content, and outputs of our calls. `late`: those of earlier rounds. */
  turns(known: KnownItems, origin: string | undefined, late: readonly ToolResultContent[]): readonly Turn[] {
    const { calls, result } = this;
    const content: AssistantContent[] = [];
    // Another key may answer the next round and cannot open this reasoning.
    for (const entry of calls?.replayed() ?? result?.content ?? [])
      content.push(entry.type === 'reasoning' && origin !== undefined ? { origin, ...entry } : entry);
    const outputs: Message = { role: 'tool', content: [...(calls?.outputs() ?? []), ...late] };
    return pair([{ role: 'assistant', content }, outputs], { known });
  }

  /** Whether a part is a delta that passes unchanged, as most do. */
  #isPlainDelta(part: RoundPart): part is Delta {
    if (part.type === 'text-delta') return this.#filter === undefined || this.#filter.passes(part.id);
    if (part.type === 'tool-input-delta') return this.calls?.showsInput(part.callId) === true;
    return part.type === 'reasoning-delta';
  }

  #note(part: RoundPart): void {
    if (part.type === 'text-start') this.#open.set(part.id, 'text-end');
    else if (part.type === 'reasoning-start') this.#open.set(part.id, 'reasoning-end');
    else if (part.type === 'tool-input-start') this.#open.set(part.callId, 'tool-input-end');
    else if (part.type === 'text-end' || part.type === 'reasoning-end') this.#open.delete(part.id);
    else if (part.type === 'tool-input-end') this.#open.delete(part.callId);
  }

  #translate(part: RoundPart): readonly LoopPart[] {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#filter === undefined ? [part] : this.#filter.text(part);
      case 'reasoning-start':
        // Requests replay reasoning with its next item, so an earlier call must be emitted first.
        return this.calls === undefined ? [part] : [...this.calls.handOverEarly(), part];
      case 'response':
        this.#round.responseId ??= part.responseId;
        return [part];
      case 'item':
        return this.#item(part);
      case 'round-end':
        return this.#end(part.result);
      default:
        return this.#translateCall(part);
    }
  }

  #translateCall(part: Exclude<RoundPart, { type: 'round-end' }>): readonly LoopPart[] {
    switch (part.type) {
      case 'tool-input-start':
        // Withheld text precedes the call.
        return [...(this.#filter?.call() ?? []), ...this.#callsNow().input(part)];
      case 'tool-input-delta':
      case 'tool-input-end':
        return this.#callsNow().input(part);
      case 'tool-call':
        return [...(this.#filter?.call() ?? []), ...this.#callsNow().call(part)];
      case 'hosted-call':
      case 'hosted-result':
        return this.#callsNow().server.show(part);
      case 'hosted-preview':
        return this.#callsNow().server.preview(part);
      default:
        return [part];
    }
  }

  #item(part: KeptItem): readonly LoopPart[] {
    const { isItemVisible, carrier } = this.#options;
    const asked = isApprovalRequest(part.item['type']) ? this.#callsNow().server.ask(part.item) : undefined;
    if (asked !== undefined) return asked;
    if (isItemVisible?.(part.item) === true) return [{ type: 'shown-item', item: part.item }];
    return carrier ? [part] : [];
  }

  #end(result: RoundResult): readonly LoopPart[] {
    this.result = result;
    const previews = this.calls?.end(result) ?? [];
    return this.#filter === undefined ? previews : [...previews, ...this.#filter.end()];
  }

  #callsNow(): RoundCalls {
    return (this.calls ??= new RoundCalls(this.#options, this.#round));
  }
}
