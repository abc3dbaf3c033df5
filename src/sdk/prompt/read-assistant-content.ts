import type { AssistantContent, ReasoningContent } from '../../core/message.js';
import { asString, rowOf } from '../../util/guards.js';
import { membersBeside } from './call-members.js';
import { FollowingItems } from '../history/following-items.js';
import type { OwnMetadata, OwnReasoning, PartMetadata } from '../history/part-metadata.js';
import { labelsOf, type PromptReader } from './prompt-reader.js';
import { type CarriedRound, inRoundOrder, type PlacedContent } from '../history/round-order.js';
import { readAsked, readRound, withCarried } from './read-carrier.js';
import { readCustom } from './read-custom.js';
import { readToolResult } from './read-tool-output.js';
import { defined } from '../../util/defined.js';

type PromptPart = Readonly<Record<string, unknown>>;

/** An assistant turn, with hidden rounds unpacked from their carriers and reasoning items put together again. */
export function readAssistantContent(parts: readonly PromptPart[], reader: PromptReader): AssistantContent[] {
  const reasoning = new ReasoningAssembler();
  const withMetadata = parts.map((part) => ({ part, metadata: reader.metadataOf(part) }));
  const following = new FollowingItems(withMetadata);
  reader.shown.begin(parts);
  const contents = withMetadata.flatMap(({ part, metadata }): PlacedContent[] => {
    const { own } = metadata;
    const type = String(part['type']);
    if (type === 'reasoning')
      return withCarried(own, [...readPreamble(part, metadata), ...reasoning.take(part, metadata)]);
    const read = rowOf(PARTS, type);
    const item = following.inPlaceOf(part);
    if (item === undefined && read === undefined) {
      reader.warnAbout(part);
      return [];
    }
    const flushed = { content: reasoning.flush() };
    const content = item ?? read?.(part, metadata, reader) ?? [];
    // Frameworks put the metadata of a call beside its result, too.
    if (type === 'tool-result') return [flushed, { content }];
    const carried = withCarried(own, content);
    if (type !== 'tool-call') return [flushed, ...carried];
    return [flushed, placedCall(part, carried, readRound(own))];
  });
  return [...inRoundOrder([...contents, { content: reasoning.flush() }])];
}

/** A call with the items around it: they move with it. */
function placedCall(
  part: PromptPart,
  contents: readonly PlacedContent[],
  round: CarriedRound | undefined,
): PlacedContent {
  return {
    callId: asString(part['toolCallId']) ?? '',
    isShown: true,
    ...defined({ round }),
    content: contents.flatMap(({ content }) => content),
  };
}

type ReadPart = (part: PromptPart, metadata: PartMetadata, reader: PromptReader) => readonly AssistantContent[];

const PARTS: Readonly<Record<string, ReadPart>> = {
  text: (part, metadata) => [{ type: 'text', text: asString(part['text']) ?? '', ...labelsOf(metadata) }],
  custom: readCustom,
  'tool-call': (part, metadata, reader) => [...readToolCall(part, metadata, reader), ...readAsked(metadata.own.asked)],
  // The model made it: its item goes back where the server has to see it, and there is no other way to send it.
  file: () => [],
  'tool-result': (part, metadata, reader) => reader.shown.result(part) ?? [readToolResult(part, metadata, reader)],
};

/** A call of a tool the server ran is its item; its result is in there too. */
function readToolCall(part: PromptPart, metadata: PartMetadata, reader: PromptReader): readonly AssistantContent[] {
  const { own, stock } = metadata;
  const { hostedItem, item, rawInput, inRound } = own;
  const wrapper = stock.parallelToolCall;
  if (hostedItem !== undefined) return [{ type: 'item', item: hostedItem }];
  const shown = item === undefined ? reader.shown.call(part, metadata) : { item };
  if (shown.instead !== undefined) return shown.instead;
  const call: AssistantContent = {
    type: 'tool-call',
    callId: asString(part['toolCallId']) ?? '',
    name: asString(part['toolName']) ?? '',
    arguments: rawInput ?? argumentsText(part['input']),
    ...membersBeside(metadata),
    ...defined({
      wireCallId: own.wireCallId ?? wrapper?.callId,
      item: shown.item,
      itemId: own.itemId ?? stock.itemId,
      inRound,
      wrapper,
    }),
  };
  return [call];
}

function argumentsText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input ?? {}) ?? '{}');
}

/** Text that was turned into reasoning was text to the model. */
function readPreamble(part: PromptPart, metadata: PartMetadata): AssistantContent[] {
  if (metadata.own.preamble !== true) return [];
  return [{ type: 'text', text: asString(part['text']) ?? '', ...labelsOf(metadata) }];
}

/** Sections of one reasoning item are parts in a row; one of them holds what seals it. */
class ReasoningAssembler {
  #sections: { kind: 'summary' | 'text'; text: string }[] = [];
  /** The item of the stock provider whose parts are being read. */
  #stock: { readonly itemId: string | undefined; readonly encrypted: string | undefined } | undefined;

  take(part: PromptPart, { own, stock }: PartMetadata): AssistantContent[] {
    if (own.reasoning !== undefined) return [...this.#flushStock(), ...this.#takeOwn(part, own, own.reasoning)];
    const { itemId, reasoningEncryptedContent } = stock;
    const encrypted = reasoningEncryptedContent === '' ? undefined : reasoningEncryptedContent;
    return itemId === undefined && encrypted === undefined ? [] : this.#takeStock(part, itemId, encrypted);
  }

  /** Nothing more belongs to what was taken so far. */
  flush(): AssistantContent[] {
    if (this.#stock !== undefined) return this.#flushStock();
    return this.#sections.length === 0 ? [] : [this.#finish({})];
  }

  #takeOwn(
    part: PromptPart,
    { itemId, agent }: OwnMetadata,
    { kind, continues, encrypted, origin }: OwnReasoning,
  ): AssistantContent[] {
    this.#addSection(kind, part);
    return continues ? [] : [this.#finish(defined({ encrypted, origin, itemId, agent }))];
  }

  /** The stock provider repeats the item id on every part of an item, and the seal on the last one at least. */
  #takeStock(part: PromptPart, itemId: string | undefined, encrypted: string | undefined): AssistantContent[] {
    const same = itemId !== undefined && itemId === this.#stock?.itemId;
    const earlier = same ? [] : this.flush();
    this.#stock = { itemId, encrypted: encrypted ?? this.#stock?.encrypted };
    this.#addSection('summary', part);
    return earlier;
  }

  /** Without its seal it is worth nothing: the id names an item that we do not refer to. */
  #flushStock(): AssistantContent[] {
    const { encrypted, itemId } = this.#stock ?? {};
    const isStock = this.#stock !== undefined;
    this.#stock = undefined;
    if (encrypted !== undefined) return [this.#finish({ encrypted, ...defined({ itemId }) })];
    if (isStock) this.#sections = [];
    return [];
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
