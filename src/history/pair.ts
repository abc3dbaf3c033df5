import { parseApprovalId } from '../core/approval-id.js';
import type { CallEntry, Draft, Entry, ItemEntry, Turn } from '../core/entry.js';
import type {
  ApprovalContent,
  AssistantContent,
  ItemContent,
  Message,
  ToolCallContent,
  ToolMessage,
  ToolResultContent,
} from '../core/message.js';
import { approvalRequestId } from '../items/plain.js';
import { asString } from '../util/guards.js';
import { KnownItems } from './known-items.js';

export interface PairOptions {
  /** Items of earlier parts of the conversation. */
  readonly known?: KnownItems;
  /** Whether two calls with one id are one call that was emitted twice. @default never */
  readonly isSame?: (one: ToolCallContent, other: ToolCallContent) => boolean;
}

/**
 * Returns a conversation in its normal form: the one place that pairs calls, outputs and approvals. A history is repaired,
 * never refused:
 * - An output belongs to the nearest call before it with its id; the first output counts.
 * - A result without a call becomes an entry of its own, because a server may keep the call.
 * - Calls in a row belong together, up to a result that does not belong to their round.
 * - A call that is emitted again while it is open is the same call, and so is a request with the same id.
 * - An approval belongs to the call or to the request that it names; the last approval of a call counts.
 * - Items of a server pair by type and call id; see `KnownItems`.
 */
export function pair(messages: readonly Message[], options: PairOptions = {}): readonly Turn[] {
  const pairing = new Pairing(options);
  for (const message of messages) pairing.read(message);
  return pairing.end();
}

type CallDraft = Draft<CallEntry> & { readonly turn: number };

/** A turn of the model while its contents are read. */
interface TurnDraft {
  readonly entries: Entry[];
  readonly asked: string[];
  /** Results without a call. */
  readonly loose: Entry[];
  /** A call or a request in it repeats an earlier one. */
  hasRepeats: boolean;
  /** Calls that follow belong to another run. */
  sawResult: boolean;
  /** The last call of the run. */
  last: ToolCallContent | undefined;
}

class Pairing {
  readonly #turns: Turn[] = [];
  readonly #known: KnownItems;
  readonly #isSame: PairOptions['isSame'];
  /** The last call with an id. Servers that restart at `call_0` repeat ids. */
  readonly #calls = new Map<string, CallDraft>();
  /** The same without hidden calls: the user never sees them, so a client made up an approval of one. */
  readonly #shown = new Map<string, CallDraft>();
  readonly #requests = new Map<string, Draft<ItemEntry>>();
  readonly #loose = new Set<string>();
  /** The last call of each round. */
  readonly #roundEnds = new Map<string, CallDraft[]>();
  #lastUser = -1;
  /** Counts contents and ends of turns. */
  #at = 0;
  #run = 0;

  constructor({ known = new KnownItems(), isSame }: PairOptions) {
    this.#known = known;
    this.#isSame = isSame;
  }

  read(message: Message): void {
    if (message.role === 'assistant') this.#readAnswer(message.content);
    else if (message.role === 'tool') this.#readTool(message.content);
    else {
      if (message.role === 'user') this.#lastUser = this.#turns.length;
      this.#turns.push(message);
    }
  }

  end(): readonly Turn[] {
    this.#known.endPart();
    for (const calls of this.#roundEnds.values()) {
      const roundEnd = calls.at(-1)?.at ?? 0;
      for (const call of calls) call.roundEnd = roundEnd;
    }
    return this.#turns;
  }

  #readAnswer(contents: readonly AssistantContent[]): void {
    let draft = this.#newDraft();
    for (const content of contents) {
      this.#at += 1;
      if (content.type === 'added-text') {
        if (draft.entries.length + draft.loose.length + draft.asked.length > 0) this.#endAnswer(draft);
        this.#turns.push({ role: 'user', content: [{ type: 'text', text: content.text }] });
        draft = this.#newDraft();
      } else if (content.type === 'tool-call') this.#readCall(content, draft);
      else if (content.type === 'tool-result') this.#readResult(content, draft);
      else if (content.type === 'asked') draft.asked.push(content.callId);
      else if (content.type !== 'item') {
        this.#breakRun(draft);
        draft.entries.push({ ...content, at: this.#at });
      } else if (this.#requests.has(approvalRequestId(content.item) ?? '')) draft.hasRepeats = true;
      else {
        this.#breakRun(draft);
        draft.entries.push(...this.#noteItem(content));
      }
    }
    this.#endAnswer(draft);
  }

  #readCall(call: ToolCallContent, draft: TurnDraft): void {
    if (this.#isRepeated(call)) {
      draft.hasRepeats = true;
      return;
    }
    const isTogether = call.inRound !== undefined && call.inRound === draft.last?.inRound;
    if (draft.sawResult && !isTogether) this.#breakRun(draft);
    draft.last = call;
    const entry: CallDraft = {
      type: 'call',
      call,
      at: this.#at,
      roundEnd: 0,
      run: this.#run,
      turn: this.#turns.length,
    };
    this.#calls.set(call.callId, entry);
    if (call.wasHidden !== true) this.#shown.set(call.callId, entry);
    const round = this.#roundEnds.get(call.inRound ?? '');
    if (round === undefined) this.#roundEnds.set(call.inRound ?? '', [entry]);
    else round.push(entry);
    draft.entries.push(entry);
  }

  #readResult(result: ToolResultContent, draft: TurnDraft): void {
    draft.sawResult = true;
    if (!this.#settle(result)) draft.loose.push({ type: 'output', result, at: this.#at });
  }

  #newDraft(): TurnDraft {
    this.#run += 1;
    return { entries: [], asked: [], loose: [], hasRepeats: false, sawResult: false, last: undefined };
  }

  #breakRun(draft: TurnDraft): void {
    this.#run += 1;
    draft.sawResult = false;
    draft.last = undefined;
  }

  #endAnswer({ entries, asked, loose, hasRepeats }: TurnDraft): void {
    this.#known.endTurn(entries);
    // The rest of a turn that repeats another belongs to the turn that it repeats.
    if (entries.length === 0 && (hasRepeats || asked.length > 0)) this.#pushTool(loose);
    else this.#turns.push({ role: 'assistant', entries, end: (this.#at += 1) });
    for (const id of asked) {
      const entry = this.#shown.get(id) ?? this.#requests.get(id);
      if (entry !== undefined) entry.wasAsked = true;
    }
  }

  #readTool(contents: ToolMessage['content']): void {
    const entries: Entry[] = [];
    for (const content of contents) {
      this.#at += 1;
      if (content.type === 'approval') entries.push(...this.#noteApproval(content));
      else if (!this.#settle(content)) entries.push(...this.#keepLoose(content));
    }
    this.#pushTool(entries);
  }

  #pushTool(entries: readonly Entry[]): void {
    if (entries.length > 0) this.#turns.push({ role: 'tool', entries, end: (this.#at += 1) });
  }

  /** Whether the call was noted before and is still open. */
  #isRepeated(call: ToolCallContent): boolean {
    const known = call.wasHidden === true ? undefined : this.#shown.get(call.callId);
    if (known === undefined || this.#isSame === undefined) return false;
    // Several messages may repeat a call, with a denial behind each.
    const isDenied = known.approval?.approved === false && this.#lastUser < known.turn;
    return (known.isSettled !== true || isDenied) && this.#isSame(known.call, call);
  }

  #noteItem(content: ItemContent): Entry[] {
    const entry: Draft<ItemEntry> = { ...content, at: this.#at };
    const id = approvalRequestId(content.item);
    if (id !== undefined) this.#requests.set(id, entry);
    return this.#known.place(entry);
  }

  #settle({ callId, output }: ToolResultContent): boolean {
    const call = this.#calls.get(callId);
    const shown = this.#shown.get(callId);
    if (shown !== undefined) shown.isSettled = true;
    if (call === undefined) return false;
    if (call.output === undefined) Object.assign(call, { output, answeredAt: this.#at, isSettled: true });
    return true;
  }

  #keepLoose(result: ToolResultContent): Entry[] {
    const key = `${asString(result.item?.['type'])} ${result.callId}`;
    if (this.#loose.has(key)) return [];
    this.#loose.add(key);
    return [{ type: 'output', result, at: this.#at }];
  }

  #noteApproval(approval: ApprovalContent): Entry[] {
    const callId = parseApprovalId(approval.approvalId)?.callId;
    if (callId !== undefined) {
      const call = this.#shown.get(callId);
      if (call !== undefined) Object.assign(call, { approval, wasAsked: true });
      return [];
    }
    const answers = this.#requests.get(approval.approvalId);
    // Certain versions of the AI SDK write a denial twice.
    if (answers?.approval !== undefined) return [];
    if (answers !== undefined) Object.assign(answers, { approval, wasAsked: true });
    return [{ type: 'approval', approval, answers, at: this.#at }];
  }
}
