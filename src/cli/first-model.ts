import { redactUrl } from '../observe/redact.js';
import { abortError } from '../util/abort.js';
import { errorText } from '../util/error-text.js';
import { asRecord } from '../util/guards.js';
import { parseJson } from '../util/json.js';
import { causeOf } from './cause.js';
import { modelNames, modelsURL, modelToAsk } from './models.js';
import { hasKeyHeader, type Server } from './server-options.js';

const TIMEOUT_MS = 10_000;
const ADVICE = 'name a model with --model';

type Asker = Pick<Server, 'apiKeys' | 'keyName' | 'headers'>;

/**
 * Returns the default model from the server's list. Rejects with the cause and a solution if the list is empty.
 *
 * @param responsesURL the URL of its responses, next to its models
 */
export async function firstModel(responsesURL: string, asker: Asker, signal: AbortSignal): Promise<string> {
  const url = modelsURL(responsesURL);
  const { apiKeys, keyName } = asker;
  const visit = {
    hasKey: apiKeys.length > 0,
    hasCredentials: hasKeyHeader(asker),
    keyName,
    model: undefined,
    models: [],
  };
  const failed = (refusal: Pick<Parameters<typeof causeOf>[0], 'status' | 'problem' | 'headers' | 'body'>): Error => {
    const { status, problem } = refusal;
    // A server may have no list, and answer nevertheless.
    const cause = NO_LIST.has(status) ? undefined : causeOf({ kind: 'refused', ...refusal }, visit, responsesURL);
    return new Error(`${redactUrl(url)} names no model: ${cause ?? `${problem}; ${ADVICE}`}.`);
  };
  const answer = await ask(url, asker, signal).catch((error: unknown) => {
    if (signal.aborted) throw abortError(signal);
    throw failed({ status: 0, problem: errorText(error), headers: {}, body: {} });
  });
  const { status } = answer;
  const list = parseJson(answer.text);
  const [problem, body] = [`it answered ${status}`, asRecord(list) ?? {}];
  if (!answer.ok) throw failed({ status, problem, headers: answer.headers, body });
  const model = modelToAsk(modelNames(list));
  if (model === undefined) throw failed({ status, problem: 'it lists none', headers: {}, body: {} });
  return model;
}

const NO_LIST: ReadonlySet<number> = new Set([200, 404, 405, 501]);

async function ask(url: string, { apiKeys: [apiKey], headers }: Asker, signal: AbortSignal) {
  const auth = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const response = await fetch(url, {
    headers: { ...auth, ...headers },
    // A redirect would carry headers, keys among them, to any host.
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  const { ok, status } = response;
  return { ok, status, headers: Object.fromEntries(response.headers), text: await response.text() };
}
