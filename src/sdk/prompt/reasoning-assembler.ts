import type { AssistantContent, ReasoningContent } from '../../core/message.js';
import { defined } from '../../util/defined.js';
import { asId, asString } from '../../util/guards.js';
import type { PartMetadata, PromptPart } from '../history/part-metadata.js';

/** Sections of one reasoning item are parts in a row; one of them holds what seals it. */
export class ReasoningAssembler {
  #sections: { readonly kind: 'summary' | 'text'; readonly text: string }[] = [];
  /** The item of the stock provider whose sections these are; of items of ours the last part says all. */
  #stock: { readonly itemId: string | undefined; readonly encrypted: string | undefined } | undefined;

  take(part: PromptPart, { own, stock }: PartMetadata): AssistantContent[] {
    if (own.reasoning !== undefined) {
      const { kind, continues, encrypted, origin } = own.reasoning;
      const earlier = this.#stock === undefined ? [] : this.flush();
      this.#addSection(kind, part);
      const { itemId, agent } = own;
      return continues ? earlier : [...earlier, this.#finish(defined({ encrypted, origin, itemId, agent }))];
    }
    const { itemId } = stock;
    const encrypted = asId(stock.reasoningEncryptedContent);
    if (itemId === undefined && encrypted === undefined) return [];
    // The stock provider repeats the item id on every part of an item, and the seal on the last one at least.
    const earlier = itemId !== undefined && itemId === this.#stock?.itemId ? [] : this.flush();
    this.#stock = { itemId, encrypted: encrypted ?? this.#stock?.encrypted };
    this.#addSection('summary', part);
    return earlier;
  }

  /** Nothing more belongs to what was taken so far. */
  flush(): AssistantContent[] {
    const { itemId, encrypted } = this.#stock ?? {};
    // Without its seal it is worth nothing: the id names an item that we do not refer to.
    if (this.#stock !== undefined && encrypted === undefined) this.#sections = [];
    this.#stock = undefined;
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
