import { APICallError, type LanguageModel, wrapLanguageModel } from 'ai';

/** An attempt at a request, from 1. */
export interface Attempt {
  readonly attempt: number;
  /** How many there are at most. */
  readonly of: number;
}

/** The AI SDK asks again so often by itself. */
export const MAX_RETRIES = 2;

/** Calls `onAttempt` for each further attempt at a request, and with `undefined` once the model answers. */
export function watchRetries(
  model: LanguageModel,
  onAttempt: (attempt: Attempt | undefined) => void,
): Exclude<LanguageModel, string> {
  if (typeof model === 'string') throw new Error(`The model ${model} has no provider.`);
  let failures = 0;
  return wrapLanguageModel({
    model: model as Parameters<typeof wrapLanguageModel>[0]['model'],
    middleware: {
      specificationVersion: 'v3',
      wrapStream: async ({ doStream }) => {
        try {
          const result = await doStream();
          if (failures > 0) onAttempt(undefined);
          failures = 0;
          return result;
        } catch (error) {
          failures += 1;
          const isTriedAgain = APICallError.isInstance(error) && error.isRetryable && failures <= MAX_RETRIES;
          onAttempt(isTriedAgain ? { attempt: failures + 1, of: MAX_RETRIES + 1 } : undefined);
          throw error;
        }
      },
    },
  });
}
