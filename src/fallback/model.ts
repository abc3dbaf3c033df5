import { invalidSettings } from '../errors/invalid-settings.js';
import { isCallable } from '../util/check.js';
import { asRecord } from '../util/guards.js';

/** The members of a stock model that are used here. Any model of the same AI SDK major fits. */
export interface StockModel<Version extends string = string> {
  /** The version of the AI SDK's model interface. */
  readonly specificationVersion: Version;
  /** The name that the stock model reports. */
  readonly provider: string;
  /** Streams an answer. */
  doStream(options: never): PromiseLike<StockAnswer & { stream: ReadableStream<unknown> }>;
  /** Returns an answer in one piece. */
  doGenerate(options: never): PromiseLike<StockAnswer & { content: readonly unknown[] }>;
}

export interface StockAnswer {
  readonly request?: { readonly body?: unknown; readonly url?: string | undefined } | undefined;
  readonly response?: { readonly headers?: Record<string, string> | undefined } | undefined;
}

/** A provider whose models answer instead of ours. If it can make a model in several ways, `responses` is used. */
export type StockProvider<Version extends string = string> =
  | ((modelId: string) => StockModel<Version>)
  | { responses(modelId: string): StockModel<Version> }
  | { languageModel(modelId: string): StockModel<Version> };

/** Refuses a wrong provider at once: the day of the flag's change would be too late. */
export function checkStockProvider(stock: unknown, version: string): void {
  const { specificationVersion: given, responses, languageModel } = Object(stock) as Readonly<Record<string, unknown>>;
  // Providers of AI SDK 6 and later name their version.
  if (typeof given === 'string' && given !== version)
    throw invalidSettings(
      `The setting "stock" makes ${given} models; here ${version} models are needed. ${HINTS[version] ?? ''}`,
    );
  if ([stock, responses, languageModel].some(isCallable)) return;
  throw invalidSettings('The setting "stock" must be a provider, such as createOpenAI() returns.');
}

/**
 * Makes and checks the model now, so that a model of another version is refused early. An error of the provider is thrown
 * when the model is needed, because the stock provider must not take the primary down.
 */
export function stockModelOf<Version extends string>(
  stock: StockProvider<Version>,
  modelId: string,
  version: Version,
): () => StockModel<Version> {
  let model: StockModel<Version>;
  try {
    model = createModel(stock, modelId);
  } catch (error) {
    return () => {
      throw error;
    };
  }
  checkModel(model, modelId, version);
  return () => model;
}

function checkModel(model: unknown, modelId: string, version: string): void {
  const { doStream, specificationVersion } = asRecord(model) ?? {};
  if (!isCallable(doStream))
    throw invalidSettings(
      `The stock provider returned no language model for "${modelId}". Set "stock" to a provider, or to a synchronous function that returns a model.`,
    );
  if (specificationVersion !== version)
    throw invalidSettings(
      `The stock provider's model "${modelId}" is a ${JSON.stringify(specificationVersion) ?? 'V1'} model; here ${version} models are needed. ${HINTS[version] ?? ''}`,
    );
}

const HINTS: Readonly<Record<string, string>> = {
  v2: "For @ai-sdk/openai 3 (AI SDK 6) import from 'responses-loop/v3', for 4 (AI SDK 7) from 'responses-loop/v4'.",
  v3: "For @ai-sdk/openai 2 (AI SDK 5) import from 'responses-loop', for 4 (AI SDK 7) from 'responses-loop/v4'.",
  v4: "For @ai-sdk/openai 2 (AI SDK 5) import from 'responses-loop', for 3 (AI SDK 6) from 'responses-loop/v3'.",
};

function createModel<Version extends string>(stock: StockProvider<Version>, modelId: string): StockModel<Version> {
  if (hasResponses(stock)) return stock.responses(modelId);
  return typeof stock === 'function' ? stock(modelId) : stock.languageModel(modelId);
}

function hasResponses<Version extends string>(
  stock: StockProvider<Version>,
): stock is Extract<StockProvider<Version>, { responses: unknown }> {
  return isCallable(Reflect.get(stock, 'responses'));
}
