import type { ServerItem } from '../core/call-items.js';
import { isCompaction } from '../core/compaction.js';
import {
  type ApprovalContent,
  errorOutput,
  INTERRUPTED_TEXT,
  type ItemContent,
  type Message,
  type ReasoningContent,
  type SystemMessage,
  type TextContent,
  type ToolCallContent,
  type ToolOutput,
  type ToolResultContent,
} from '../core/message.js';
import type { Profile } from '../core/profile.js';
import { approvalRequestId } from '../items/plain.js';
import { defined } from '../util/defined.js';
import { parseJson } from '../util/json.js';
import type { InputItem, MessagePhase, VerbatimItem } from '../wire/input-item.js';
import { convertApproval, convertControls, convertText, convertUserContent } from './convert-content.js';
import { convertReasoning, dropLonelyReasoning } from './convert-reasoning.js';
import { convertCallOutput, type OutputSchemas } from './convert-tool-output.js';
import type { ItemPairs } from './item-pairs.js';
import type { CompactionMarks } from './since-compaction.js';
import { type WireIds, wireName } from './wire-ids.js';

export interface ConvertOptions {
  readonly profile: Profile;
  /** Who made the reasoning that may be replayed: see `ReasoningContent.origin`. */
  readonly origin?: string | undefined;
  /** The system prompt stays out: the server has it from elsewhere. */
  readonly dropSystem?: boolean;
  /** The server has what came before: its reasoning, calls that are answered here, requests for approval. */
  readonly continues?: boolean;
  /** A call that lost its reasoning gets an empty one with a matching id; see `missingReasoning`. */
  readonly synthesizeReasoning?: boolean;
  /** Schemas of results, by tool: its outputs have to be JSON. */
  readonly outputSchemas?: OutputSchemas;
  /** Those of this request so far, so that none is sent twice. */
  readonly ids: WireIds;
  /** Calls and outputs of this request so far. */
  readonly pairs: ItemPairs;
  readonly marks: CompactionMarks;
}

/** What is said of a call whose output never came. */
export const INTERRUPTED = errorOutput(INTERRUPTED_TEXT);

/**
 * Our conversation as input items. History is repaired, never refused: each call is followed by its output, a call
 * without one gets an output that says so, an output without its call is left out, and reasoning goes only where what
 * it led to goes too.
 */
export function convertConversation(messages: readonly Message[], options: ConvertOptions): readonly InputItem[] {
  const writer = new ItemWriter(options);
  writer.lookForCalls(messages);
  for (const message of messages) writer.write(message);
  const paired = writer.holdsItems ? options.pairs.of(writer.items, options) : writer.items;
  return writer.holdsReasoning ? dropLonelyReasoning(paired) : paired;
}

class ItemWriter {
  readonly items: InputItem[] = [];
  /** Items of a response, or outputs alone: they may not go in pairs, as what is written here does. */
  holdsItems = false;
  holdsReasoning = false;
  readonly #options: ConvertOptions;
  /** Outputs of the conversation, by the position of their calls, with their own. */
  readonly #outputs = new Map<number, { readonly output: ToolOutput; readonly position: number }>();
  #position = 0;
  /** Of the last summary of the server's. */
  #compaction = -1;
  /** Where the last call stands, by the id of a call and by its round. */
  readonly #lastCalls = new Map<string, number>();
  /** Calls of the current run that still wait for their outputs. */
  #pending: { readonly call: ToolCallContent; readonly wireId: string; readonly position: number }[] = [];
  #sawResult = false;
  /** Requests for approval that this conversation holds. */
  readonly #asked = new Set<string>();
  readonly #answered = new Set<string>();
  /** Calls that it holds. */
  readonly #called = new Set<string>();

  constructor(options: ConvertOptions) {
    this.#options = options;
  }

  /**
   * Takes note of ids and outputs before anything is written. Call ids should be unique, but histories of servers that restart
   * at `call_0` exist: an output belongs to the nearest call before it that bears its id.
   */
  lookForCalls(messages: readonly Message[]): void {
    let position = 0;
    for (const message of messages) {
      if (message.role !== 'assistant' && message.role !== 'tool') continue;
      for (const content of message.content) {
        this.#options.ids.note(content);
        if (content.type === 'tool-call') this.#lastCalls.set(content.callId, position).set(inRound(content), position);
        else if (content.type === 'tool-result') this.#noteOutput(content, position);
        // What came before it is not sent.
        else if (content.type === 'item' && isCompaction(content.item) && content.isWindow !== true)
          this.#compaction = position;
        position += 1;
      }
    }
    // Those of earlier parts of the input stand before this summary.
    if (this.#compaction >= 0) this.#options.marks.late.clear();
  }

  #noteOutput({ callId, output }: ToolResultContent, position: number): void {
    const call = this.#lastCalls.get(callId);
    if (call !== undefined && !this.#outputs.has(call)) this.#outputs.set(call, { output, position });
  }

  write(message: Message): void {
    if (message.role === 'system') this.#writeSystem(message);
    else if (message.role === 'user') this.#writeUser(message.content);
    else if (message.role === 'assistant') this.#writeAssistant(message.content);
    else this.#writeTool(message.content);
  }

  /** Outputs stand behind their calls already, unless only the server has the call; answers to approval requests of a server stand here. */
  #writeTool(contents: Extract<Message, { role: 'tool' }>['content']): void {
    this.#position += contents.length;
    const { continues = false } = this.#options;
    for (const content of contents) {
      if (content.type === 'approval') {
        this.#writeApproval(content);
      } else if (!this.#called.has(content.callId)) {
        const [output, ...rest] = convertCallOutput(content, content.callId, content.output, this.#options);
        this.holdsItems ||= continues;
        if (output !== undefined && continues) this.items.push(output, ...rest);
        else if (output !== undefined) this.#options.pairs.leaveOut(output, 'it has no call');
      }
    }
  }

  /** Once: some versions of the AI SDK write a denial twice. */
  #writeApproval(content: ApprovalContent): void {
    const isKnown = this.#options.continues === true || this.#asked.has(content.approvalId);
    if (!isKnown || this.#answered.has(content.approvalId)) return;
    this.#answered.add(content.approvalId);
    this.items.push(convertApproval(content));
  }

  #writeSystem(message: SystemMessage): void {
    const { text } = message;
    this.items.push(...convertControls(message));
    if (text === '' || this.#options.dropSystem === true) return;
    this.items.push({
      type: 'message',
      role: this.#options.profile.systemRole,
      content: [convertText(text, message)],
    });
  }

  #writeUser(content: Extract<Message, { role: 'user' }>['content']): void {
    const converted = convertUserContent(content);
    if (converted.length > 0) this.items.push({ type: 'message', role: 'user', content: converted });
  }

  #writeAssistant(contents: Extract<Message, { role: 'assistant' }>['content']): void {
    for (const content of contents) {
      if (content.type === 'tool-result') this.#sawResult = true;
      else if (content.type === 'tool-call') this.#writeCall(content);
      else if (content.type !== 'asked') {
        this.#flushOutputs();
        if (content.type === 'text') this.#writeText(content);
        else if (content.type === 'reasoning') this.#writeReasoning(content);
        else this.#writeItem(content);
      }
      this.#position += 1;
    }
    this.#flushOutputs();
  }

  /** Replayed as it came; only what an answer refers to by id keeps its id. */
  #writeItem({ item, isWindow = false }: ItemContent): void {
    const askedId = approvalRequestId(item);
    // Of two with one id, the answer would be unclear to the server.
    if (askedId !== undefined && this.#asked.has(askedId)) return;
    if (askedId !== undefined) this.#asked.add(askedId);
    if (askedId !== undefined && this.#options.continues === true) return;
    this.holdsItems = true;
    this.holdsReasoning ||= item['type'] === 'reasoning';
    const written = verbatim(item, defined({ id: askedId }));
    if (isWindow) this.#options.marks.windows.add(written);
    this.items.push(written);
  }

  /** Calls in a row were made in one round; a result between them means that a new round began. */
  #writeCall(call: ToolCallContent): void {
    this.holdsItems ||= call.item !== undefined;
    const isTogether = call.inRound !== undefined && call.inRound === this.#pending.at(-1)?.call.inRound;
    if (this.#sawResult && !isTogether) this.#flushOutputs();
    const wireId = this.#options.ids.claimCall(call.callId);
    this.#called.add(call.callId);
    const ids = this.#synthesizeReasoning(call);
    this.items.push(
      call.item === undefined
        ? {
            type: 'function_call',
            call_id: wireId,
            name: wireName(call.name),
            arguments: jsonText(call.arguments),
            ...call.members,
            ...ids,
          }
        : verbatim(call.item, { call_id: wireId }),
    );
    this.#pending.push({ call, wireId, position: this.#position });
  }

  /** Servers that check the pairing of calls and reasoning by id accept an empty item with the call's id in it (opt-in). */
  #synthesizeReasoning(call: ToolCallContent): { id?: string } {
    const id = call.itemId;
    if (this.#options.synthesizeReasoning !== true || id?.startsWith('fc_') !== true) return {};
    const previous = this.items.at(-1)?.type;
    if (previous === 'reasoning' || this.#pending.length > 0) return {};
    this.holdsReasoning = true;
    this.items.push({ type: 'reasoning', id: id.replace('fc_', 'rs_'), summary: [] });
    return { id };
  }

  #flushOutputs(): void {
    for (const { call, wireId, position } of this.#pending) {
      const known = this.#outputs.get(position);
      const written = convertCallOutput(call, wireId, known?.output ?? INTERRUPTED, this.#options);
      this.items.push(...written);
      // Made behind all calls of its round, also where a history has it right behind its own.
      const madeAt = Math.max(known?.position ?? 0, this.#lastCalls.get(inRound(call)) ?? 0);
      if (position < this.#compaction && madeAt > this.#compaction)
        for (const item of written) this.#options.marks.late.add(item);
    }
    this.#pending = [];
    this.#sawResult = false;
  }

  #writeText({ text, phase, agent }: TextContent): void {
    if (text === '') return;
    this.items.push({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text, annotations: [] }],
      // The server's own labels, sent back as they came.
      ...(phase === undefined ? {} : { phase: phase as MessagePhase }),
      ...defined({ agent }),
      ...(this.#options.profile.assistantMessageIds === 'synthetic'
        ? { id: this.#options.ids.claimMessage(text) }
        : {}),
    });
  }

  #writeReasoning(reasoning: ReasoningContent): void {
    const item = this.#options.continues === true ? undefined : convertReasoning(reasoning, this.#options);
    if (item === undefined) return;
    this.holdsReasoning = true;
    this.items.push(item);
  }
}

/**
 * Servers want a JSON text there, whatever the model wrote: llama.cpp answers 500 to broken arguments in the history, and
 * every later turn would fail. The output of such a call shows the model what it had written.
 */
function jsonText(text: string): string {
  return parseJson(text) === undefined ? '{}' : text;
}

function inRound({ inRound: round = '' }: ToolCallContent): string {
  return `in ${round}`;
}

/**
 * An item of a response, sent back, with another id and call id where that is said; the one place where something passes for
 * an input item unread. Its own id stays out: the server may not have kept the item.
 */
function verbatim({ id: _id, ...item }: ServerItem, ids: { id?: string; call_id?: string } = {}): VerbatimItem {
  return { ...item, ...ids } as unknown as VerbatimItem;
}
