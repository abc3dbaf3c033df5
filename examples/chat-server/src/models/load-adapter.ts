import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LanguageModel } from 'ai';
import type { LoopSettings } from 'responses-loop/v3';
import { HttpError } from '../errors.js';
import type { ProviderDefinition } from './provider-definitions.js';

/** `settings` are for our provider; others take none. */
export type MakeModel = (modelId: string, settings?: LoopSettings) => LanguageModel;

type Create = (settings: { readonly apiKey?: string; readonly baseURL?: string }) => unknown;

/** What a package may name for programs like this one, in this order. */
const CONDITIONS = ['node', 'import', 'module', 'default'];

/**
 * Loads a provider of the AI SDK from what the person installed beside the file that names it, else from what this program has.
 *
 * @throws HttpError `no_such_adapter`, if the package is not there or makes no provider.
 */
export async function loadAdapter(
  { adapter, baseUrl, file, label }: ProviderDefinition,
  apiKey: string | undefined,
): Promise<MakeModel> {
  const unusable = (problem: string): HttpError =>
    new HttpError(422, 'no_such_adapter', `${label} is not available: the package ${adapter} ${problem}.`);
  const entry = [file, import.meta.filename].map((from) => entryOf(adapter, from)).find((path) => path !== undefined);
  if (entry === undefined) throw unusable(`is not installed; npm install ${adapter} beside the file of models`);
  const module = (await import(pathToFileURL(entry).href).catch(() => undefined)) as
    | Readonly<Record<string, unknown>>
    | undefined;
  if (module === undefined) throw unusable('cannot be loaded');
  const create = makerIn(module);
  if (create === undefined) throw unusable('has no function createNAME that makes a provider');
  const provider = create({
    // Else the package sends the key of its own environment variable to the server that the file names.
    ...((apiKey ?? baseUrl) !== undefined && { apiKey: apiKey ?? 'none' }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
  });
  const languageModel: unknown =
    (typeof provider === 'object' || typeof provider === 'function') && provider !== null
      ? Reflect.get(provider, 'languageModel')
      : undefined;
  if (typeof languageModel !== 'function') throw unusable('makes no provider of language models');
  return (modelId) => languageModel.call(provider, modelId) as LanguageModel;
}

/** `createAnthropic` of `@ai-sdk/anthropic`: the one whose name is that of the package, else the only one. */
function makerIn(module: Readonly<Record<string, unknown>>): Create | undefined {
  const makers = Object.entries(module).filter(
    ([name, value]) => name.startsWith('create') && name !== 'create' && typeof value === 'function',
  );
  return (makers.length === 1 ? makers[0]?.[1] : makers.toSorted(([a], [b]) => a.length - b.length)[0]?.[1]) as
    | Create
    | undefined;
}

/** The file that `import` would load from there. */
function entryOf(name: string, from: string): string | undefined {
  const paths = createRequire(from).resolve.paths(name) ?? [];
  const folder = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')));
  if (folder === undefined) return undefined;
  const { exports, module, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly exports?: unknown;
    readonly module?: string;
    readonly main?: string;
  };
  const target = targetOf(exports) ?? module ?? main ?? 'index.js';
  const path = join(folder, target);
  return dirname(path).startsWith(folder) && existsSync(path) ? path : undefined;
}

function targetOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  if (Object.hasOwn(exports, '.')) return targetOf(Reflect.get(exports, '.'));
  const condition = CONDITIONS.find((name) => Object.hasOwn(exports, name));
  return condition === undefined ? undefined : targetOf(Reflect.get(exports, condition));
}
