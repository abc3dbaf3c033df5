import type { Engine } from '../../engine/engine.js';
import type { McpPrompt, McpResource } from '../../mcp/catalog.js';
import { type Line, lineOf } from '../line-editor.js';
import type { PastSession } from '../options.js';
import { fileChoices, fileWord } from './files.js';
import type { Choice } from './menu.js';
import {
  argumentChoices,
  openArgument,
  promptChoices,
  resourceChoices,
  writtenArguments,
  writtenPrompt,
  type WrittenPrompt,
} from './mcp.js';
import { VALUE_LISTS } from './values.js';

const NONE: readonly never[] = [];
const MOST = 50;

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

interface Lists {
  readonly files: readonly string[];
  readonly models: readonly string[];
  readonly prompts: readonly McpPrompt[];
  readonly resources: readonly McpResource[];
}

/** What the line may become: commands, their values, and files behind an `@`. */
export class Choices {
  readonly #sources: ChoiceSources;
  #lists: Partial<Lists> = {};
  /** Values of an argument, by what is written. */
  #values: { readonly of: string; readonly list: readonly string[] } = { of: '', list: [] };
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
    if (word === undefined) this.#forget('files', 'resources');
    if (!line.text.startsWith('/')) this.#forget('prompts');
    if (/^\/[\w:.-]*$/.test(line.text)) return this.#commands(line.text.slice(1));
    if (Object.hasOwn(VALUE_LISTS, name)) return this.#valuesOf(name, value.trimStart());
    const prompt = writtenPrompt(line.text);
    if (prompt !== undefined) return this.#arguments(line, prompt);
    if (word === undefined) return [];
    const { view } = this.#sources.engine();
    return [
      ...fileChoices(
        line,
        this.#list('files', () => view.files()),
      ),
      ...resourceChoices(
        line,
        this.#list('resources', () => view.mcp.resources()),
      ),
    ].slice(0, MOST);
  }

  #forget(...names: readonly (keyof Lists)[]): void {
    for (const name of names) this.#fresh.delete(name);
  }

  #prompts(): readonly McpPrompt[] {
    return this.#list('prompts', () => this.#sources.engine().view.mcp.prompts());
  }

  /** Arguments of a prompt; their values are asked for while they are written. */
  #arguments(line: Line, { server, name, rest }: WrittenPrompt): readonly Choice[] {
    const prompt = this.#prompts().find((one) => one.server === server && one.name === name);
    if (prompt === undefined) return [];
    const open = openArgument(line);
    if (open !== undefined && this.#values.of !== line.text) {
      this.#values = { of: line.text, list: [] };
      const call = { server, name, arguments: writtenArguments(rest, prompt) };
      void this.#sources
        .engine()
        .view.mcp.values(call, open.name)
        .catch(() => [])
        .then((list) => {
          if (this.#values.of !== line.text) return;
          this.#values = { of: line.text, list };
          this.#sources.onLoaded();
        });
    }
    return argumentChoices(line, prompt, this.#values.of === line.text ? this.#values.list : []);
  }

  #commands(beginning: string): Choice[] {
    const own = this.#sources.engine().view.commands();
    const written = own.map(({ name, description }) => ({ name, help: description, hasValue: true }));
    const commands = [...this.#sources.commands, ...written]
      .filter(({ name }) => name.startsWith(beginning))
      .map(({ name, help, hasValue }) => ({ label: `/${name}`, help, line: lineOf(`/${name} `), isWhole: !hasValue }));
    return [...commands, ...promptChoices(beginning, this.#prompts())];
  }

  #valuesOf(name: string, written: string): Choice[] {
    const lists = VALUE_LISTS[name];
    if (lists === undefined) return [];
    const engine = this.#sources.engine();
    const models = (): readonly string[] => this.#list('models', () => engine.view.models());
    const isOnlyChosen = lists.isOnlyChosen(written);
    if (lists.none !== undefined && written === '' && models().length === 0 && this.#lists.models !== undefined) {
      const [label, help] = lists.none;
      return [{ label, help, line: lineOf(`/${name} `), isOnlyChosen: true }];
    }
    return lists
      .list({ engine, models, sessions: this.#sources.sessions }, written)
      .filter(([value]) => value.startsWith(written))
      .toSorted(([one], [other]) => Number(other === written) - Number(one === written))
      .map(([value, help]) => ({ label: value, help, line: lineOf(`/${name} ${value}`), isWhole: true, isOnlyChosen }));
  }

  /** The list as it was loaded last, while it is loaded again; empty if it cannot be. */
  #list<Name extends keyof Lists>(name: Name, load: () => Promise<Lists[Name]>): Lists[Name] {
    if (!this.#fresh.has(name) && !this.#loading.has(name)) {
      this.#fresh.add(name);
      this.#loading.add(name);
      void load()
        .catch((): Lists[Name] => NONE)
        .then((list) => {
          this.#lists = { ...this.#lists, [name]: list };
          this.#loading.delete(name);
          this.#sources.onLoaded();
        });
    }
    return this.#lists[name] ?? NONE;
  }
}
