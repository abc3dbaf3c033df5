import { invalidSettings } from '../errors/invalid-settings.js';
import { isCallable } from '../util/check.js';
import { asRecord } from '../util/guards.js';

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
export function checkStockProvider(stock: unknown, version: string): void {
  const { specificationVersion: given, responses, languageModel } = Object(stock) as Readonly<Record<string, unknown>>;
  // Providers of AI SDK 6 and later say which models they make.
  if (typeof given === 'string' && given !== version)
    throw invalidSettings(
      `The setting "stock" makes ${given} models; here ${version} models are needed. ${HINTS[version] ?? ''}`,
    );
  if ([stock, responses, languageModel].some(isCallable)) return;
  throw invalidSettings(
    'The setting "stock" has to be a provider: a function of the model id, or an object with responses() or languageModel(), such as createOpenAI() gives.',
  );
}

/**
 * The model, made and looked at now, so that one of another version is refused while there is time. What the provider throws
 * is kept until the model is needed: it is there to save calls, not to take the primary down.
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
      `The stock provider gives no language model for "${modelId}". The setting "stock" is the provider itself, as createOpenAI() gives it, or a function that returns a model at once.`,
    );
  if (specificationVersion !== version)
    throw invalidSettings(
      `The stock provider's model "${modelId}" is a ${JSON.stringify(specificationVersion) ?? 'V1'} model; here a ${version} model is needed. ${HINTS[version] ?? ''}`,
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
