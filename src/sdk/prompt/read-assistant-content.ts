import { serverItem } from '../../core/call-items.js';
import type { AssistantContent, TextContent, ReasoningContent } from '../../core/message.js';
import { asId, asString, rowOf } from '../../util/guards.js';
import { membersOf } from './call-members.js';
import { COMPACTION } from '../parts/metadata.js';
import type { PartMetadata, PromptPart } from '../history/part-metadata.js';
import type { PromptReader } from './prompt-reader.js';
import { inPlaceOrder, type PlacedContent } from '../history/place-order.js';
import { previewsIn } from '../history/previews.js';
import { inRoundOrder } from '../history/round-order.js';
import { readAsked, readEntries, readRound, withCarried } from '../history/read-carrier.js';
import { readToolResult } from './read-tool-output.js';
import { defined } from '../../util/defined.js';
import { parseJson } from '../../util/json.js';

/** An assistant turn, with hidden rounds unpacked from their carriers and reasoning items put together again. */
export function readAssistantContent(parts: readonly PromptPart[], reader: PromptReader): readonly AssistantContent[] {
  const reasoning = new ReasoningAssembler();
  const read = parts.map((part) => ({ part, metadata: reader.door.metadataOf(part) }));
  const itemsOfCalls = readLateItems(read);
  const previews = previewsIn(read);
  reader.shown.begin(parts);
  const contents = read.flatMap(({ part, metadata }): PlacedContent[] => {
    const { own } = metadata;
    const type = String(part['type']);
    if (type === 'reasoning') {
      // Text that was turned into reasoning was text to the model.
      const preamble = own.preamble === true ? [toText(part, metadata)] : [];
      return withCarried(own, [...preamble, ...reasoning.take(part, metadata)]);
    }
    const readPart = rowOf(PARTS, type);
    if (readPart === undefined) {
      reader.warnAbout(part);
      return [];
    }
    const flushed = { content: reasoning.flush() };
    const callId = idOf(part);
    const item = type === 'tool-call' || type === 'tool-result' ? itemsOfCalls.get(callId) : undefined;
    // Frameworks copy the metadata of a call to its result.
    if (type === 'tool-result')
      return [flushed, { content: item === undefined && !previews.has(part) ? readPart(part, metadata, reader) : [] }];
    const carried = withCarried(own, item ?? readPart(part, metadata, reader));
    if (type !== 'tool-call') return [flushed, ...carried];
    // The items around a call move with it.
    const content = carried.flatMap((placed) => placed.content);
    return [
      flushed,
      { callId, isShown: true, content, ...defined({ round: readRound(own), entries: readEntries(own) }) },
    ];
  });
  return inRoundOrder(inPlaceOrder([...contents, { content: reasoning.flush() }]));
}

/**
 * Returns the items of calls that were shown before they were complete, by their ids. The item is in the metadata of
 * the result. Previews and unfinished calls have no such item.
 */
function readLateItems(
  parts: readonly { readonly part: PromptPart; readonly metadata: PartMetadata }[],
): ReadonlyMap<string, readonly AssistantContent[]> {
  const items = new Map<string, readonly AssistantContent[]>();
  const whole = new Set<string>();
  for (const { part, metadata } of parts) {
    const { hostedItem, itemFollows } = metadata.own;
    const id = idOf(part);
    if (part['type'] === 'tool-call') {
      if (itemFollows === true) items.set(id, []);
      if (hostedItem !== undefined) whole.add(id);
    } else if (part['type'] === 'tool-result' && hostedItem !== undefined && !whole.has(id))
      // Certain versions of the AI SDK copy the metadata of a call to a result without any.
      items.set(id, [{ type: 'item', item: hostedItem }]);
  }
  return items;
}

function idOf(part: PromptPart): string {
  return asString(part['toolCallId']) ?? '';
}

type PartReader = (part: PromptPart, metadata: PartMetadata, reader: PromptReader) => readonly AssistantContent[];

const PARTS: Readonly<Record<string, PartReader>> = {
  text: (part, metadata) => [toText(part, metadata)],
  custom: readCustom,
  'tool-call': (part, metadata, reader) => [...readToolCall(part, metadata, reader), ...readAsked(metadata.own.asked)],
  // The model made it, so its item is sent back if the server needs it and no other form exists.
  file: () => [],
  'tool-result': (part, metadata, reader) => reader.shown.result(part) ?? [readToolResult(part, metadata, reader)],
};

/** A call of a server's tool is its item, which contains the result too. */
function readToolCall(part: PromptPart, metadata: PartMetadata, reader: PromptReader): readonly AssistantContent[] {
  const { own, vendor } = metadata;
  const { hostedItem, item, rawInput, inRound } = own;
  const wrapper = vendor.parallelToolCall;
  if (hostedItem !== undefined) return [{ type: 'item', item: hostedItem }];
  const shown = item === undefined ? reader.shown.call(part, metadata) : { item };
  if (shown.instead !== undefined) return shown.instead;
  const facts = {
    members: membersOf(metadata),
    wireCallId: own.wireCallId ?? wrapper?.callId,
    item: shown.item,
    itemId: own.itemId ?? vendor.itemId,
    inRound,
    wrapper,
  };
  return [
    {
      type: 'tool-call',
      callId: idOf(part),
      name: asString(part['toolName']) ?? '',
      arguments: rawInput ?? argumentsOf(part, inRound !== undefined),
      ...defined(facts),
    },
  ];
}

/**
 * Returns the input of a call as a JSON text. Another text may be that of a custom tool of another provider, which this call
 * does not declare: it goes back as the call of a function.
 */
function argumentsOf({ input }: PromptPart, isOurs: boolean): string {
  if (typeof input !== 'string') return JSON.stringify(input ?? {}) ?? '{}';
  return isOurs || input.trim() === '' || parseJson(input) !== undefined ? input : JSON.stringify({ input });
}

function toText(part: PromptPart, { own, vendor }: PartMetadata): TextContent {
  const labels = { phase: own.phase ?? vendor.phase, agent: own.agent, itemId: own.itemId ?? vendor.itemId };
  return { type: 'text', text: asString(part['text']) ?? '', ...defined(labels) };
}

/** A part that only its provider understands (`ai` 7). */
function readCustom(
  part: PromptPart,
  { own, vendor }: PartMetadata,
  reader: PromptReader,
): readonly AssistantContent[] {
  const sealed = part['kind'] === COMPACTION ? asId(vendor.encryptedContent) : undefined;
  if (sealed !== undefined) {
    const compaction = { type: 'compaction', encrypted_content: sealed, ...defined({ agent: own.agent }) };
    return [{ type: 'item', item: serverItem(compaction), ...defined({ isWindow: own.window }) }];
  }
  reader.warn(`holds a custom part of kind ${JSON.stringify(part['kind'])}, which cannot be sent`);
  return [];
}

/** Joins the sections of one reasoning item: parts in a row, one of them with the seal. */
class ReasoningAssembler {
  #sections: { readonly kind: 'summary' | 'text'; readonly text: string }[] = [];
  /** The item of the vendor's provider whose sections these are. The last part of our own items has all members. */
  #section: { readonly itemId: string | undefined; readonly encrypted: string | undefined } | undefined;

  take(part: PromptPart, { own, vendor }: PartMetadata): AssistantContent[] {
    if (own.reasoning !== undefined) {
      const { kind, continues, encrypted, origin } = own.reasoning;
      const earlier = this.#section === undefined ? [] : this.flush();
      this.#addSection(kind, part);
      const { itemId, agent } = own;
      return continues ? earlier : [...earlier, this.#finish(defined({ encrypted, origin, itemId, agent }))];
    }
    const { itemId } = vendor;
    const encrypted = asId(vendor.reasoningEncryptedContent);
    if (itemId === undefined && encrypted === undefined) return [];
    // `@ai-sdk/openai` repeats the item id on every part of an item, and the seal on the last one at least.
    const earlier = itemId !== undefined && itemId === this.#section?.itemId ? [] : this.flush();
    this.#section = { itemId, encrypted: encrypted ?? this.#section?.encrypted };
    this.#addSection('summary', part);
    return earlier;
  }

  /** No further part belongs to the taken ones. */
  flush(): AssistantContent[] {
    const { itemId, encrypted } = this.#section ?? {};
    // Useless without its seal, because we do not refer to items by id.
    if (this.#section !== undefined && encrypted === undefined) this.#sections = [];
    this.#section = undefined;
    const isEmpty = this.#sections.length === 0 && encrypted === undefined;
    return isEmpty ? [] : [this.#finish(defined({ encrypted, itemId }))];
  }

  #addSection(kind: 'summary' | 'text', part: PromptPart): void {
    const text = asString(part['text']) ?? '';
    if (text !== '') this.#sections.push({ kind, text });
  }

  #finish(facts: Partial<ReasoningContent>): ReasoningContent {
    const of = (kind: 'summary' | 'text'): string[] =>
      this.#sections.filter((section) => section.kind === kind).map((section) => section.text);
    const content: ReasoningContent = { type: 'reasoning', summary: of('summary'), text: of('text'), ...facts };
    this.#sections = [];
    return content;
  }
}
