import { invalidSettings } from '../../errors/invalid-settings.js';
import { isRecord } from '../../util/guards.js';

/** A model of the stock provider, as far as it is driven here: any model of the same AI SDK major fits. */
export interface StockModel<Version extends string = string> {
  readonly specificationVersion: Version;
  readonly provider: string;
  doStream(options: never): PromiseLike<StockAnswer & { stream: ReadableStream<unknown> }>;
  doGenerate(options: never): PromiseLike<StockAnswer & { content: readonly unknown[] }>;
}

export interface StockAnswer {
  readonly request?: { readonly body?: unknown } | undefined;
  readonly response?: { readonly headers?: Record<string, string> | undefined } | undefined;
}

/** A provider whose models answer in our place. Where it has several ways to make one, `responses` is taken. */
export type StockProvider<Version extends string = string> =
  | ((modelId: string) => StockModel<Version>)
  | { responses(modelId: string): StockModel<Version> }
  | { languageModel(modelId: string): StockModel<Version> };

/** Said at once: on the day the flag is flipped it would be too late. */
export function checkStockProvider(stock: unknown): void {
  if (typeof stock === 'function') return;
  if (isRecord(stock) && (isFunction(stock['responses']) || isFunction(stock['languageModel']))) return;
  throw invalidSettings(
    'The setting "stock" has to be a provider: a function of the model id, or an object with responses() or languageModel(), such as createOpenAI() gives.',
  );
}

export function stockModelOf<Version extends string>(
  stock: StockProvider<Version>,
  modelId: string,
  version: Version,
): StockModel<Version> {
  const model = createModel(stock, modelId);
  const found: unknown = (model as StockModel | undefined)?.specificationVersion;
  if (found === version) return model;
  throw invalidSettings(
    `The stock provider's model "${modelId}" ${found === undefined ? 'is no language model' : `is a ${JSON.stringify(found)} model`}; here a ${version} model is needed. ${HINTS[version] ?? ''}`.trimEnd(),
  );
}

const HINTS: Readonly<Record<string, string>> = {
  v2: "For @ai-sdk/openai 3 (AI SDK 6) import from 'responses-loop/v3', for 4 (AI SDK 7) from 'responses-loop/v4'.",
  v3: "For @ai-sdk/openai 2 (AI SDK 5) import from 'responses-loop', for 4 (AI SDK 7) from 'responses-loop/v4'.",
  v4: "For @ai-sdk/openai 2 (AI SDK 5) import from 'responses-loop', for 3 (AI SDK 6) from 'responses-loop/v3'.",
};

function createModel<Version extends string>(stock: StockProvider<Version>, modelId: string): StockModel<Version> {
  if (hasResponses(stock)) return stock.responses(modelId);
  if (typeof stock === 'function') return stock(modelId);
  return stock.languageModel(modelId);
}

function hasResponses<Version extends string>(
  stock: StockProvider<Version>,
): stock is Extract<StockProvider<Version>, { responses: unknown }> {
  return isFunction(Reflect.get(stock, 'responses'));
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
