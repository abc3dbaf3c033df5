import { invalidSettings } from '../errors/invalid-settings.js';

/** The SDK knows its own error by name and marker; importing its class would make everybody load it. */
export function refuseModel(modelType: string, modelId: string): never {
  const error = invalidSettings(
    `This provider makes language models only; it has no ${modelType} ${JSON.stringify(modelId)}.`,
  );
  throw Object.assign(error, { name: 'AI_NoSuchModelError', modelType, modelId, [NO_SUCH_MODEL]: true });
}

const NO_SUCH_MODEL = Symbol.for('vercel.ai.error.AI_NoSuchModelError');
