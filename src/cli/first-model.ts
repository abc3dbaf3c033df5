import { redactUrl } from '../observe/redact.js';
import { abortError } from '../util/abort.js';
import { errorText } from '../util/error-text.js';
import { modelNames, modelsURL, modelToAsk } from './models.js';
import type { Server } from './server-options.js';

const TIMEOUT_MS = 10_000;
const ADVICE = 'Name a model with --model.';

/**
 * The model to ask if none is named: of those that a server lists. Rejects with what to do if it lists none.
 *
 * @param responsesURL where its responses are; models are beside them
 */
export async function firstModel(
  responsesURL: string,
  { apiKeys: [apiKey], headers }: Pick<Server, 'apiKeys' | 'headers'>,
  signal: AbortSignal,
): Promise<string> {
  const url = modelsURL(responsesURL);
  const auth = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  try {
    const response = await fetch(url, {
      headers: { ...auth, ...headers },
      // A redirect would carry headers, keys among them, to any host.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const model = modelToAsk(modelNames(await response.json()));
    if (model === undefined) throw new Error('it lists none');
    return model;
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    throw new Error(`${redactUrl(url)} names no model: ${errorText(error)}. ${ADVICE}`, { cause: error });
  }
}
