import type * as Ai from 'ai';
import { createResponsesProvider, type StockProvider, withStockFallback } from 'responses-loop';
import { isRecord } from '../../src/util/guards.js';
import type { Model } from './model.js';
import type { HostedTools, Scenario } from './scenarios/scenario.js';

/** Which `@ai-sdk/openai` stands on the other side. */
export type Major = 2 | 3 | 4;

/** The stock package of each specification. */
export const MAJORS: Readonly<Record<'v2' | 'v3' | 'v4', Major>> = { v2: 2, v3: 3, v4: 4 };

const BASE_URL = 'https://contract.invalid/v1';
const API_KEY = 'sk-contract';

/** The stock package as it is imported; its majors differ in types that nothing here reads. */
export type CreateStock = (settings: object) => {
  responses(modelId: string): unknown;
  readonly tools: object;
};

/** One of the two providers. */
export type Side = (fetch: typeof globalThis.fetch, modelId?: string) => Model;

/** What is called of the SDK; its majors stand in different places, so whoever runs the suite brings it. */
export type Sdk = Pick<typeof Ai, 'generateText' | 'jsonSchema' | 'stepCountIs' | 'streamText'>;

/** The AI SDK major above them. */
export type SdkMajor = 5 | 6 | 7;

/** Both, and the words they are asked in. */
export interface Sides {
  /** The package on the other side. */
  readonly packageName: string;
  /** Under which names it looks for options. Scenarios say `openai`. */
  readonly namespaces: readonly string[];
  readonly major: Major;
  readonly sdk: SdkMajor;
  readonly ai: Sdk;
  readonly stock: Side;
  readonly ours: Side;
  /** The stock provider where the flag says so, else ours, both behind `withStockFallback`. */
  readonly flagged: (useStock: boolean, fetch: typeof globalThis.fetch) => Model;
  /** Both as they go by the name of Azure. */
  readonly azure: { readonly stock: Side; readonly ours: Side };
  /** Declarations of the tools that the server runs: there is only one way to write them. */
  readonly hosted: HostedTools;
}

const MODEL = 'gpt-5.1';

// What the SDK says of warnings would be most of the log; they are among the facts.
globalThis.AI_SDK_LOG_WARNINGS = false;

export function createSides(major: Major, sdk: SdkMajor, ai: Sdk, createStock: CreateStock): Sides {
  const settings = { baseURL: BASE_URL, apiKey: API_KEY };
  const stock =
    (more: object): Side =>
    (fetch, modelId = MODEL) =>
      createStock({ ...settings, ...more, fetch }).responses(modelId) as Model;
  const ours =
    (backend: 'openai' | 'azure'): Side =>
    (fetch, modelId = MODEL) =>
      createResponsesProvider({ ...settings, fetch, backend })(modelId) as Model;
  return {
    packageName: '@ai-sdk/openai',
    namespaces: ['openai'],
    major,
    sdk,
    ai,
    stock: stock({}),
    ours: ours('openai'),
    flagged: (useStock, fetch) =>
      withStockFallback({
        primary: createResponsesProvider({ ...settings, fetch, backend: 'openai' }),
        stock: createStock({ ...settings, fetch }) as StockProvider<'v2'>,
        useStock,
      })(MODEL) as Model,
    azure: { stock: stock({ name: 'azure' }), ours: ours('azure') },
    hosted: createStock({ ...settings }).tools as HostedTools,
  };
}

/** What a scenario says under the name of OpenAI, under the name that this provider looks for. */
export function inWordsOf<T>({ namespaces }: Pick<Sides, 'namespaces'>, said: T): T {
  return namespaces.join() === 'openai' ? said : (renamed(said, namespaces) as T);
}

function renamed(value: unknown, namespaces: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((entry) => renamed(entry, namespaces));
  if (!isRecord(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      renamed(NAMED.has(name) ? under(inner, namespaces) : inner, namespaces),
    ]),
  );
}

/** Where names of providers are the keys. */
const NAMED: ReadonlySet<string> = new Set(['providerOptions', 'providerReference', 'reference']);

function under(value: unknown, namespaces: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      (name === 'openai' ? namespaces : [name]).map((renamedTo) => [renamedTo, inner]),
    ),
  );
}

/** The call's tools in the words of the specification. */
export function declared({ tools, hosted = {} }: Pick<Scenario, 'tools' | 'hosted'>, sides: Sides): object[] {
  const functions = tools.map(({ parameters, output: _output, ...tool }) => ({
    type: 'function',
    ...tool,
    inputSchema: parameters,
  }));
  const others = Object.entries(hosted).flatMap(([name, create]) => {
    const tool = create(sides.hosted);
    return tool === undefined ? [] : [{ type: tool['type'], id: tool['id'], name, args: tool['args'] }];
  });
  return inWordsOf(sides, [...functions, ...others]);
}
