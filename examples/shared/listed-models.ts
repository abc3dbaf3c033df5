import { SettingsError } from './settings-error.js';

const TIMEOUT_MS = 5_000;
const MAX_LISTED = 1_000;
/** Models that do not answer in text. */
const NO_TALKER = /embed|rerank|whisper|tts|dall-e|image|moderation|transcribe|realtime|audio/i;

export interface ListModelsOptions {
  /** URL of the responses; the models are listed beside it. */
  readonly responsesUrl: string;
  /** One key, or several with commas between them, of which the first counts. */
  readonly apiKey?: string | undefined;
}

/**
 * Models that a server lists, those that answer in text first.
 *
 * @throws SettingsError that names the flag to change.
 */
export async function listModels({ responsesUrl, apiKey }: ListModelsOptions): Promise<readonly string[]> {
  const url = new URL(responsesUrl.replace(/\/responses(?=$|\?)/, '/models'));
  const shown = `${url.origin}${url.pathname}`;
  const response = await get(url, apiKey).catch((error: unknown) => {
    throw new SettingsError(`Nothing answers at ${url.origin} (${reasonOf(error)}): check --base-url.`, {
      cause: error,
    });
  });
  if (response.status === 401 || response.status === 403)
    throw new SettingsError(`${shown} refuses the key (${response.status}): set OPENAI_API_KEY or --api-key-env.`);
  const names = response.ok ? namesOf(await response.json().catch(() => undefined)) : [];
  return [...names.filter((name) => !NO_TALKER.test(name)), ...names.filter((name) => NO_TALKER.test(name))];
}

/** The first model that answers in text; `undefined` if the server lists none, or does not answer yet. */
export async function firstListedModel(options: ListModelsOptions): Promise<string | undefined> {
  const [first] = await listModels(options).catch(() => []);
  return first;
}

async function get(url: URL, apiKey: string | undefined): Promise<Response> {
  const [key = ''] = apiKey?.split(',') ?? [];
  return fetch(url, {
    headers: key.trim() === '' ? {} : { authorization: `Bearer ${key.trim()}` },
    // A redirect could take the key to any host.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

/** Of `data`, as OpenAI has it, or of `models`. */
function namesOf(list: unknown): readonly string[] {
  const { data, models } = asRecord(list);
  const entries = [data, models].find((value) => Array.isArray(value) && value.length > 0);
  if (!Array.isArray(entries)) return [];
  return entries.slice(0, MAX_LISTED).flatMap((entry: unknown) => {
    const { id, name } = asRecord(entry);
    const found = [id, name].find((value) => typeof value === 'string' && value !== '');
    return typeof found === 'string' ? [found] : [];
  });
}

/** The message of `fetch` could repeat a header, so its code or name has to do. */
function reasonOf(error: unknown): string {
  const { cause, name } = asRecord(error);
  const { code } = asRecord(cause);
  return String(code ?? name);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
