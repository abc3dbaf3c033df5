import { redactUrl } from '../observe/redact.js';
import { abortError, followAbort } from '../util/abort.js';
import { errorText } from '../util/error-text.js';
import { asArray, asRecord, asString } from '../util/guards.js';
import type { Server } from './server-options.js';

const TIMEOUT_MS = 10_000;
const ADVICE = 'Name a model with --model.';

/**
 * The first model that a server lists. Rejects with what to do where it lists none.
 *
 * @param responsesURL where its responses are; models are beside them
 */
export async function firstModel(
  responsesURL: string,
  { apiKey, headers }: Pick<Server, 'apiKey' | 'headers'>,
  signal: AbortSignal,
): Promise<string> {
  const url = responsesURL.replace(/\/responses(?=$|\?)/, '/models');
  const auth = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const { controller, release } = followAbort(signal);
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  try {
    // A redirect would carry headers, keys among them, wherever it points.
    const init = { headers: { ...auth, ...headers }, signal: controller.signal, redirect: 'manual' } as const;
    const response = await fetch(url, init);
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    const first = asArray(asRecord(await response.json())?.['data']).map((model) => asString(asRecord(model)?.['id']));
    const id = first.find((name) => name !== undefined && name !== '');
    if (id === undefined) throw new Error('it lists none');
    return id;
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    throw new Error(`${redactUrl(url)} names no model: ${errorText(error)}. ${ADVICE}`, { cause: error });
  } finally {
    clearTimeout(timer);
    release();
  }
}
