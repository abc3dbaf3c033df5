import type { AssistantContent, ReasoningContent } from '../../core/message.js';
import { defined } from '../../util/defined.js';
import { asString } from '../../util/guards.js';
import type { OwnMetadata, PartMetadata, PromptPart } from '../history/part-metadata.js';
import type { OwnReasoning } from '../history/readers.js';

/** Sections of one reasoning item are parts in a row; one of them holds what seals it. */
export class ReasoningAssembler {
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
