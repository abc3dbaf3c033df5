import type MiniSearch from 'minisearch';
import type { LoopTool } from '../tools/loop-tool.js';
import { clip } from '../util/excerpt.js';
import { textsOf, type ToolTexts } from './describe-tool.js';
import { splitWords } from './split-words.js';

/** Characters of a query that are read. */
const MAX_QUERY = 1_000;
/** Words of fewer characters are not looked for as the beginning of another, or with a typing error. */
const WHOLE_BELOW = 4;
const FIELDS = ['name', 'about', 'parameters'] as const satisfies readonly (keyof ToolTexts)[];

interface Document extends ToolTexts {
  readonly id: number;
}

/** Finds tools by their names, descriptions and parameters. */
export class ToolIndex {
  readonly #tools: readonly LoopTool[];
  readonly #documents: readonly Document[];
  readonly #index: MiniSearch<Document>;
  /** The places of tools by their names, in lower case. */
  readonly #byName = new Map<string, number[]>();

  private constructor(tools: readonly LoopTool[], index: MiniSearch<Document>) {
    this.#tools = tools;
    this.#documents = tools.map((tool, id) => ({ id, ...textsOf(tool) }));
    this.#index = index;
    index.addAll(this.#documents);
    for (const [id, { declaration, tool }] of tools.entries())
      for (const name of new Set([declaration.name.toLowerCase(), tool.name.toLowerCase()])) {
        const places = this.#byName.get(name);
        if (places === undefined) this.#byName.set(name, [id]);
        else places.push(id);
      }
  }

  /** The library is loaded here, because most calls search for nothing. */
  static async of(tools: readonly LoopTool[]): Promise<ToolIndex> {
    const { default: Index } = await import('minisearch');
    return new ToolIndex(
      tools,
      new Index<Document>({
        fields: [...FIELDS],
        tokenize: splitWords,
        // `splitWords` has done it.
        processTerm: (word) => word,
        searchOptions: {
          boost: { name: 3, about: 1.5 },
          prefix: (word) => word.length >= WHOLE_BELOW,
          fuzzy: (word) => (word.length >= WHOLE_BELOW ? 0.2 : false),
        },
      }),
    );
  }

  /** Whether it was made of these tools. */
  isOf(tools: readonly LoopTool[]): boolean {
    return (
      tools.length === this.#tools.length &&
      this.#tools.every(
        (own, at) => own.tool === tools[at]?.tool && own.declaration.name === tools[at].declaration.name,
      )
    );
  }

  /** Returns the matching tools, the best first: by name, then by words, else by parts of words. */
  find(query: string, limit: number): readonly LoopTool[] {
    const text = clip(query, MAX_QUERY);
    const named = [text.trim(), ...text.split(/[\s,;"'`()]+/)];
    const found = [
      ...named.flatMap((name) => this.#named(name)),
      ...this.#index.search(text).map(({ id }) => Number(id)),
    ];
    const places = [...new Set(found.length > 0 ? found : this.#containing(text))];
    return places.slice(0, limit).flatMap((place) => this.#tools[place] ?? []);
  }

  #named(name: string): readonly number[] {
    const places = this.#byName.get(name.toLowerCase()) ?? [];
    const isSame = (place: number): boolean => this.#tools[place]?.declaration.name === name;
    return [...places.filter(isSame), ...places];
  }

  /** Scripts without spaces may be split otherwise in the query than in the text. */
  #containing(query: string): readonly number[] {
    const words = new Set(splitWords(query));
    const fits = (texts: string): boolean => [...words].some((word) => texts.includes(word));
    return this.#documents
      .filter((document) =>
        fits(
          FIELDS.map((field) => document[field])
            .join('\n')
            .normalize('NFKC')
            .toLowerCase(),
        ),
      )
      .map(({ id }) => id);
  }
}
