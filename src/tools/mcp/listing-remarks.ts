import { limitMessage } from '../../errors/limit-reached.js';
import { excerpt } from '../../util/excerpt.js';
import type { McpLimits } from './server-config.js';

const SHOWN_NAMES = 10;
const SHOWN_NAME_CHARS = 100;

/** What is said of tools that have the same thing wrong with them; `they` is their names with the verb. */
const SENTENCES = {
  nameless: (_they: string, count: number) =>
    count === 1 ? 'a tool without a name is left out.' : `${count} tools without a name are left out.`,
  longName: (they: string) => `${they} left out: a name may have 1000 characters.`,
  task: (they: string, count: number) =>
    `${they} left out: ${count === 1 ? 'it' : 'they'} can only run as a task, which is not supported; "denyTools" silences this.`,
  longSchema: (they: string, _count: number, { schemaChars }: McpLimits) =>
    limitMessage(`${they} left out: a schema may have ${schemaChars} characters`, 'limits.schemaChars'),
  deepSchema: (they: string) => `${they} left out: a schema is nested too deeply.`,
  hidden: (they: string) => `${they} described with invisible characters; they were taken out.`,
} as const;

type Topic = keyof typeof SENTENCES;

/** What a listing says about a server, in one sentence for all tools that it holds for. */
export class Remarks {
  readonly #limits: McpLimits;
  readonly #others: string[] = [];
  readonly #tools = new Map<Topic, { count: number; readonly names: string[] }>();

  constructor(limits: McpLimits) {
    this.#limits = limits;
  }

  get sentences(): readonly string[] {
    const topics = [...this.#tools].map(([topic, { count, names }]) =>
      SENTENCES[topic](listed(names, count), count, this.#limits),
    );
    return [...topics, ...this.#others];
  }

  say(sentence: string): void {
    this.#others.push(sentence);
  }

  /** One more tool that something holds for. */
  add(topic: Topic, name?: string): undefined {
    const noted = this.#tools.get(topic) ?? { count: 0, names: [] };
    noted.count += 1;
    if (name !== undefined && noted.names.length < SHOWN_NAMES) noted.names.push(name);
    this.#tools.set(topic, noted);
  }

  unmatched(list: string, entries: readonly string[]): void {
    if (entries.length > 0) this.say(`\`${list}\` names what it does not have: ${entries.map(quoted).join(', ')}.`);
  }
}

function listed(names: readonly string[], count: number): string {
  if (count === 1) return `the tool ${names.map(quoted).join('')} is`;
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return `the tools ${names.map(quoted).join(', ')}${more} are`;
}

function quoted(name: string): string {
  return `"${excerpt(name, SHOWN_NAME_CHARS)}"`;
}
