import type { McpPrompt, McpResource } from '../../mcp/catalog.js';
import { plainLine } from '../plain-text.js';
import { type Line, lineOf } from '../line-editor.js';
import { fileWord, scoreOf } from './files.js';
import type { Choice } from './menu.js';

const MOST = 50;
/** A longer line is no prompt, and a longer word no address. */
const MAX_LINE = 4_096;

/** What a line says of a prompt: `/server:name argument=value`. */
export interface WrittenPrompt {
  readonly server: string;
  readonly name: string;
  /** What stands behind it. */
  readonly rest: string;
}

export function writtenPrompt(text: string): WrittenPrompt | undefined {
  if (text.length > MAX_LINE) return undefined;
  const [, server, name, rest = ''] = /^\/([\w.-]+):([\w.-]+)(?:\s+(.*))?$/s.exec(text) ?? [];
  return server === undefined || name === undefined ? undefined : { server, name, rest };
}

const PAIR = /([\w.-]+)=(?:"([^"]*)"?|(\S*))/g;

/** The arguments that are written; if a prompt has one, its name may be left out. */
export function writtenArguments(rest: string, prompt: McpPrompt): Readonly<Record<string, string>> {
  const known = new Set(prompt.arguments.map(({ name }) => name));
  const pairs = [...rest.matchAll(PAIR)].filter(([, name = '']) => known.has(name));
  const [only] = prompt.arguments;
  if (pairs.length === 0 && only !== undefined && prompt.arguments.length === 1 && rest.trim() !== '')
    return { [only.name]: rest.trim() };
  return Object.fromEntries(pairs.map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']));
}

/** Prompts as commands, with the name of their server. */
export function promptChoices(beginning: string, prompts: readonly McpPrompt[]): readonly Choice[] {
  return prompts
    .map((prompt) => ({ prompt, label: `/${prompt.server}:${prompt.name}` }))
    .filter(({ label }) => label.startsWith(`/${beginning}`))
    .slice(0, MOST)
    .map(({ prompt, label }) => ({
      label,
      help: `MCP ${prompt.server} · ${[plainLine(prompt.description), ...prompt.arguments.map(argumentHelp)].join(' ')}`,
      line: lineOf(`${label} `),
      isWhole: prompt.arguments.length === 0,
    }));
}

function argumentHelp({ name, isRequired }: McpPrompt['arguments'][number]): string {
  return isRequired ? `${name}=…` : `[${name}=…]`;
}

/** The argument whose value is being written, and the value so far. */
export function openArgument({ text, cursor }: Line): { readonly name: string; readonly start: number } | undefined {
  const [, before = '', name] = /^(.*?)([\w.-]+)=(?:"[^"]*|[^\s"]*)$/s.exec(text.slice(0, cursor)) ?? [];
  return name === undefined ? undefined : { name, start: before.length + name.length + 1 };
}

/** Names of arguments that are not written yet, or values of the one that is. */
export function argumentChoices(line: Line, prompt: McpPrompt, values: readonly string[]): readonly Choice[] {
  const open = openArgument(line);
  const replace = (start: number, written: string): Line => lineOf(line.text.slice(0, start) + written);
  if (open !== undefined) {
    const quoted = (value: string): string => (/\s/.test(value) ? `"${value}"` : value);
    return values.map((value) => ({ label: value, help: '', line: replace(open.start, `${quoted(value)} `) }));
  }
  const [word = ''] = /\S*$/.exec(line.text) ?? [];
  const given = writtenArguments(writtenPrompt(line.text)?.rest ?? '', prompt);
  return prompt.arguments
    .filter(({ name }) => !Object.hasOwn(given, name) && name.startsWith(word))
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
    .map(({ name, description, isRequired }) => ({
      label: `${name}=`,
      help: `${isRequired ? 'required' : 'optional'} · ${plainLine(description)}`,
      line: replace(line.text.length - word.length, `${name}=`),
      // Enter sends a prompt that has all it needs.
      isOnlyChosen: !isRequired,
    }));
}

/** Resources whose address or name holds the letters behind the `@` in their order, the best first. */
export function resourceChoices(line: Line, resources: readonly McpResource[]): readonly Choice[] {
  const found = fileWord(line);
  if (found === undefined) return [];
  return resources
    .flatMap((resource) => {
      const label = `${resource.server}:${resource.uri}`;
      const score = scoreOf(`${label} ${resource.name}`, found.word);
      return score === undefined ? [] : [{ resource, label, score }];
    })
    .toSorted((one, other) => other.score - one.score || one.label.length - other.label.length)
    .slice(0, MOST)
    .map(({ resource, label }) => {
      // Of a template the rest has to be written.
      const end = resource.uri.indexOf('{');
      const written = end === -1 ? `@${label} ` : `@${label.slice(0, label.length - resource.uri.length + end)}`;
      const text = line.text.slice(0, found.start) + written + line.text.slice(line.cursor);
      return {
        label: `@${label}`,
        help: `MCP ${resource.server} · ${plainLine(resource.name)}`,
        line: { text, cursor: found.start + written.length },
      };
    });
}

/** Resources that a message names, each once. */
export function resourcesIn(text: string, servers: readonly string[]) {
  const words = (text.match(/(?<=^|\s)@\S+/g) ?? []).filter((word) => word.length <= MAX_LINE);
  const found = words.flatMap((word) => {
    const [, server = '', uri = ''] = /^@([\w.-]+):([a-z][a-z\d+.-]*:.+?)[.,;!?)]*$/i.exec(word) ?? [];
    return servers.includes(server) ? [{ server, uri }] : [];
  });
  return found.filter(
    (one, at) => found.findIndex(({ server, uri }) => server === one.server && uri === one.uri) === at,
  );
}
