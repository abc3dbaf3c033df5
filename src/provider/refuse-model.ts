import { invalidSettings } from '../errors/invalid-settings.js';

/** The other models of a provider in each version. */
export interface OtherModels {
  readonly v2: {
    /** Throws, because the provider has no such models; registries of the SDK expect a `NoSuchModelError`. */
    textEmbeddingModel(modelId: string): never;
    /** As with `textEmbeddingModel`. */
    imageModel(modelId: string): never;
  };
  readonly v3: NoOtherModels<'v3'>;
  readonly v4: NoOtherModels<'v4'>;
}

interface NoOtherModels<Version> {
  readonly specificationVersion: Version;
  /** Throws, because the provider has no such models; registries of the SDK expect a `NoSuchModelError`. */
  embeddingModel(modelId: string): never;
  /** As with `embeddingModel`. */
  imageModel(modelId: string): never;
}

const refusing = (modelType: string) => (modelId: string) => refuseModel(modelType, modelId);
const NONE = { embeddingModel: refusing('embeddingModel'), imageModel: refusing('imageModel') };

export const OTHER_MODELS: OtherModels = {
  v2: { textEmbeddingModel: refusing('textEmbeddingModel'), imageModel: refusing('imageModel') },
  v3: { specificationVersion: 'v3', ...NONE },
  v4: { specificationVersion: 'v4', ...NONE },
};

/** The SDK knows its own error by name and marker; importing its class would load it for all apps. */
function refuseModel(modelType: string, modelId: string): never {
  const error = invalidSettings(
    `This provider creates only language models; it has no ${modelType} ${JSON.stringify(modelId)}.`,
  );
  throw Object.assign(error, { name: 'AI_NoSuchModelError', modelType, modelId, [NO_SUCH_MODEL]: true });
}

const NO_SUCH_MODEL = Symbol.for('vercel.ai.error.AI_NoSuchModelError');
