import type { ServerItem } from '../core/call-items.js';
import {
  type ApprovalEntry,
  type CallEntry,
  type Entry,
  isOpen,
  type ItemEntry,
  type OutputEntry,
  type ReasoningEntry,
  type Turn,
} from '../core/entry.js';
import {
  errorOutput,
  INTERRUPTED_TEXT,
  type SystemMessage,
  type TextContent,
  type ToolCallContent,
  type ToolOutput,
  type UserMessage,
} from '../core/message.js';
import type { Profile } from '../core/profile.js';
import { callKind } from '../items/kinds.js';
import { approvalRequestId } from '../items/plain.js';
import { defined } from '../util/defined.js';
import { asString } from '../util/guards.js';
import { parseJson } from '../util/json.js';
import type { InputItem, MessagePhase, VerbatimItem } from '../wire/input-item.js';
import { convertApproval, convertControls, convertText, convertUserContent } from './convert-content.js';
import { convertReasoning, dropLonelyReasoning } from './convert-reasoning.js';
import { convertCallOutput, type OutputSchemas } from './convert-tool-output.js';
import { setSource, type Source } from './item-sources.js';
import { type WireIds, wireName } from './wire-ids.js';

export interface ConvertOptions {
  readonly profile: Profile;
  /** The origin of reasoning that may be replayed: see `ReasoningContent.origin`. */
  readonly origin?: string | undefined;
  /** Omits the system prompt, because the server already has it. */
  readonly dropSystem?: boolean;
  /** The server has the earlier turns: their reasoning, calls that are answered here, requests for approval. */
  readonly continues?: boolean;
  /** A call that lost its reasoning gets an empty one with a matching id; see `missingReasoning`. */
  readonly synthesizeReasoning?: boolean;
  /** Schemas of results, by tool: their outputs must be JSON. */
  readonly outputSchemas?: OutputSchemas;
  /** The ids in this request, so that each is sent once. */
  readonly ids: WireIds;
  /** Calls that were sent without outputs, by their ids, until the outputs are sent. @default no call is */
  readonly open?: Map<string, OpenCall>;
  /** Warns that items of this type are not sent. */
  readonly leaveOut: (type: string, why: string) => void;
}

export interface OpenCall {
  readonly entry: CallEntry;
  readonly wireId: string;
}

/** The output of a call that never got one. */
export const INTERRUPTED = errorOutput(INTERRUPTED_TEXT);

/** Returns turns as input items. Sends reasoning only together with its result. */
export function convertTurns(turns: readonly Turn[], options: ConvertOptions): readonly InputItem[] {
  const writer = new TurnWriter(options);
  for (const turn of turns)
    if (turn.role === 'assistant' || turn.role === 'tool') for (const entry of turn.entries) options.ids.note(entry);
  for (const turn of turns) writer.write(turn);
  return writer.holdsReasoning ? dropLonelyReasoning(writer.items) : writer.items;
}

class TurnWriter {
  readonly items: InputItem[] = [];
  holdsReasoning = false;
  readonly #options: ConvertOptions;
  /** Calls that were made together and wait for the last of them. */
  #run: OpenCall[] = [];
  /** Requests that the server has and that were answered. */
  readonly #answered = new Set<string>();

  constructor(options: ConvertOptions) {
    this.#options = options;
  }

  write(turn: Turn): void {
    if (turn.role === 'system') this.#writeSystem(turn);
    else if (turn.role === 'user') this.#writeUser(turn);
    else {
      for (const entry of turn.entries) this.#writeEntry(entry);
      this.#endRun();
    }
  }

  #writeEntry(entry: Entry): void {
    if (entry.type !== 'call' || this.#run[0]?.entry.run !== entry.run) this.#endRun();
    if (entry.type === 'call') this.#writeCall(entry);
    else if (entry.type === 'text') this.#writeText(entry);
    else if (entry.type === 'reasoning') this.#writeReasoning(entry);
    else if (entry.type === 'item') this.#writeItem(entry);
    else if (entry.type === 'output') this.#writeOutput(entry);
    else this.#writeApproval(entry);
  }

  #writeSystem(message: SystemMessage): void {
    const { text } = message;
    this.items.push(...convertControls(message));
    if (text === '' || this.#options.dropSystem === true) return;
    const { systemRole: role } = this.#options.profile;
    this.#push({ type: 'message', role, content: [convertText(text, message)] }, { message });
  }

  #writeUser(message: UserMessage): void {
    const content = convertUserContent(message.content);
    if (content.length > 0) this.#push({ type: 'message', role: 'user', content }, { message });
  }

  #writeText({ text, phase, agent }: TextContent): void {
    if (text === '') return;
    const { profile, ids } = this.#options;
    this.items.push({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
      // The server's own labels, sent back unchanged.
      ...(phase === undefined ? {} : { phase: phase as MessagePhase }),
      ...defined({ agent }),
      ...(profile.assistantMessageIds === 'synthetic' ? { id: ids.claimMessage(text) } : {}),
    });
  }

  #writeReasoning(entry: ReasoningEntry): void {
    const item = this.#options.continues === true ? undefined : convertReasoning(entry, this.#options);
    if (item === undefined) return;
    this.holdsReasoning = true;
    this.#push(item, { entry });
  }

  #writeCall(entry: CallEntry): void {
    const { call } = entry;
    const wireId = this.#options.ids.claimCall(call.callId);
    const ids = this.#synthesizeReasoning(call);
    const item: InputItem =
      call.item === undefined
        ? {
            type: 'function_call',
            call_id: wireId,
            name: wireName(call.name),
            arguments: jsonText(call.arguments),
            ...call.members,
            ...ids,
          }
        : verbatim(call.item, { call_id: wireId });
    this.#push(item, { entry, side: 'call' });
    this.#run.push({ entry, wireId });
  }

  /** Servers that check the pairing of calls and reasoning by id accept an empty item with the call's id in it (opt-in). */
  #synthesizeReasoning({ itemId: id }: ToolCallContent): { id?: string } {
    if (this.#options.synthesizeReasoning !== true || id?.startsWith('fc_') !== true) return {};
    if (this.items.at(-1)?.type === 'reasoning' || this.#run.length > 0) return {};
    this.holdsReasoning = true;
    this.items.push({ type: 'reasoning', id: id.replace('fc_', 'rs_'), summary: [] });
    return { id };
  }

  #endRun(): void {
    for (const open of this.#run) {
      const { call, output = INTERRUPTED } = open.entry;
      if (this.#options.open !== undefined && isOpen(open.entry)) this.#options.open.set(call.callId, open);
      else this.#answer(open, output);
    }
    this.#run = [];
  }

  #answer({ entry, wireId }: OpenCall, output: ToolOutput): void {
    const [item, ...rest] = convertCallOutput(entry.call, wireId, output, this.#options);
    if (item !== undefined) this.#push(item, { entry, side: 'output' });
    this.items.push(...rest);
  }

  /** Sends an unchanged item. Only a request keeps its id, because the answer names it. */
  #writeItem(entry: ItemEntry): void {
    const { item, answers, fault } = entry;
    const type = asString(item['type']) ?? '';
    if (fault !== undefined && !this.#runsAlone(entry)) return this.#options.leaveOut(type, fault);
    const id = approvalRequestId(item);
    if (id !== undefined && this.#options.continues === true) return;
    this.holdsReasoning ||= type === 'reasoning';
    const side: Source['side'] = answers !== undefined ? 'output' : callKind(type) && 'call';
    this.#push(verbatim(item, defined({ id })), { entry: answers ?? entry, ...defined({ side }) });
  }

  /** Whether this server ran a call without an output, and sends none. */
  #runsAlone({ item, fault }: ItemEntry): boolean {
    const { ranAlone } = callKind(asString(item['type']) ?? '') ?? {};
    return fault === 'it has no output' && ranAlone !== undefined && this.#options.profile.runsCustomTools === true;
  }

  #writeOutput(entry: OutputEntry): void {
    const { result } = entry;
    const open = this.#options.open?.get(result.callId);
    if (open !== undefined) {
      this.#options.open?.delete(result.callId);
      return this.#answer(open, result.output);
    }
    const [output, ...rest] = convertCallOutput(result, result.callId, result.output, this.#options);
    if (output === undefined) return;
    if (this.#options.continues !== true) return this.#options.leaveOut(output.type, 'it has no call');
    this.#push(output, { entry, side: 'output' });
    this.items.push(...rest);
  }

  #writeApproval({ approval, answers }: ApprovalEntry): void {
    const { approvalId } = approval;
    if ((answers === undefined && this.#options.continues !== true) || this.#answered.has(approvalId)) return;
    this.#answered.add(approvalId);
    const item = convertApproval(approval);
    if (answers === undefined) this.items.push(item);
    else this.#push(item, { entry: answers });
  }

  #push(item: InputItem, source: Source): void {
    setSource(item, source);
    this.items.push(item);
  }
}

/**
 * Servers need valid JSON here: llama.cpp answers 500 to broken arguments in the history, so every later turn would
 * fail. The output of such a call shows the model its own text.
 */
function jsonText(text: string): string {
  return parseJson(text) === undefined ? '{}' : text;
}

/**
 * Returns an item of a response to send back, with the given id and call id, if any. No other code sends an item
 * unchecked. Its own id is dropped, because the server may not have kept the item.
 */
function verbatim({ id: _id, ...item }: ServerItem, ids: { id?: string; call_id?: string } = {}): VerbatimItem {
  return { ...item, ...ids } as unknown as VerbatimItem;
}
