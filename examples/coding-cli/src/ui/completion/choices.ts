import type { Engine } from '../../engine/engine.js';
import { type Line, lineOf } from '../line-editor.js';
import type { PastSession } from '../options.js';
import { fileChoices, fileWord } from './files.js';
import type { Choice } from './menu.js';
import { VALUE_LISTS } from './values.js';

/** A command, and whether a value is chosen behind it. */
export interface CommandHelp {
  readonly name: string;
  readonly help: string;
  readonly hasValue: boolean;
}

export interface ChoiceSources {
  readonly engine: () => Engine;
  readonly commands: readonly CommandHelp[];
  /** Sessions of this folder, the newest first. */
  readonly sessions: () => readonly PastSession[];
  /** A list has been loaded. */
  readonly onLoaded: () => void;
}

type Lists = Record<'files' | 'models', readonly string[]>;

/** What the line may become: commands, their values, and files behind an `@`. */
export class Choices {
  readonly #sources: ChoiceSources;
  #lists: Partial<Lists> = {};
  /** Lists that were loaded for what is being written now. */
  readonly #fresh = new Set<keyof Lists>();
  readonly #loading = new Set<keyof Lists>();

  constructor(sources: ChoiceSources) {
    this.#sources = sources;
  }

  /** For another session. */
  forget(): void {
    this.#lists = {};
    this.#fresh.clear();
  }

  sessions(): readonly PastSession[] {
    return this.#sources.sessions();
  }

  of(line: Line): readonly Choice[] {
    const [, name = '', value = ''] = /^\/([a-z]+) (.*)$/.exec(line.text) ?? [];
    const word = fileWord(line);
    // The next time they may be others.
    if (name !== 'model') this.#fresh.delete('models');
    if (word === undefined) this.#fresh.delete('files');
    if (/^\/[\w-]*$/.test(line.text)) return this.#commands(line.text.slice(1));
    if (Object.hasOwn(VALUE_LISTS, name)) return this.#values(name, value.trimStart());
    if (word === undefined) return [];
    return fileChoices(
      line,
      this.#list('files', () => this.#sources.engine().view.files()),
    );
  }

  #commands(beginning: string): Choice[] {
    const own = this.#sources.engine().view.commands();
    const written = own.map(({ name, description }) => ({ name, help: description, hasValue: true }));
    return [...this.#sources.commands, ...written]
      .filter(({ name }) => name.startsWith(beginning))
      .map(({ name, help, hasValue }) => ({ label: `/${name}`, help, line: lineOf(`/${name} `), isWhole: !hasValue }));
  }

  #values(name: string, written: string): Choice[] {
    const lists = VALUE_LISTS[name];
    if (lists === undefined) return [];
    const engine = this.#sources.engine();
    const models = (): readonly string[] => this.#list('models', () => engine.view.models());
    const isOnlyChosen = lists.isOnlyChosen(written);
    return lists
      .list({ engine, models, sessions: this.#sources.sessions }, written)
      .filter(([value]) => value.startsWith(written))
      .toSorted(([one], [other]) => Number(other === written) - Number(one === written))
      .map(([value, help]) => ({ label: value, help, line: lineOf(`/${name} ${value}`), isWhole: true, isOnlyChosen }));
  }

  /** The list as it was loaded last, while it is loaded again; empty if it cannot be. */
  #list(name: keyof Lists, load: () => Promise<readonly string[]>): readonly string[] {
    if (!this.#fresh.has(name) && !this.#loading.has(name)) {
      this.#fresh.add(name);
      this.#loading.add(name);
      void load()
        .catch(() => [])
        .then((list) => {
          this.#lists[name] = list;
          this.#loading.delete(name);
          this.#sources.onLoaded();
        });
    }
    return this.#lists[name] ?? [];
  }
}
