import { invalidSettings } from '../errors/invalid-settings.js';

/** What a provider of V3 or V4 has beside its language models. */
export interface OnlyLanguageModels<Version> {
  readonly specificationVersion: Version;
  /** There are none; registries of the SDK expect a `NoSuchModelError`. */
  embeddingModel(modelId: string): never;
  /** As with `embeddingModel`. */
  imageModel(modelId: string): never;
}

export function onlyLanguageModels<Version extends string>(specificationVersion: Version): OnlyLanguageModels<Version> {
  return {
    specificationVersion,
    embeddingModel: (modelId) => refuseModel('embeddingModel', modelId),
    imageModel: (modelId) => refuseModel('imageModel', modelId),
  };
}

/** The SDK knows its own error by name and marker; importing its class would make everybody load it. */
export function refuseModel(modelType: string, modelId: string): never {
  const error = invalidSettings(
    `This provider makes language models only; it has no ${modelType} ${JSON.stringify(modelId)}.`,
  );
  throw Object.assign(error, { name: 'AI_NoSuchModelError', modelType, modelId, [NO_SUCH_MODEL]: true });
}

const NO_SUCH_MODEL = Symbol.for('vercel.ai.error.AI_NoSuchModelError');
