const TIMEOUT_MS = 5_000;
const MAX_CHARS = 4_000_000;

/** Names under which servers tell how many tokens a model takes, in the order in which they count. */
const NAMES: readonly string[] = [
  'max_model_len', // vLLM, SGLang
  'loaded_context_length', // LM Studio
  'context_length', // OpenRouter, Together
  'context_window', // Groq
  'max_context_length', // LM Studio, Mistral
  'n_ctx', // llama.cpp
  'n_ctx_train',
];

type Fields = Readonly<Record<string, unknown>>;

export interface AskedServer {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
}

/** Tokens that a server says a model takes; `undefined` if it does not say so, or does not answer. */
export async function serverWindow(server: AskedServer, model: string): Promise<number | undefined> {
  const listed = await get(server, `${server.baseURL.replace(/\/$/, '')}/models`);
  const { data, models } = fieldsOf(listed);
  const entries = [data, models].flatMap((list) => (Array.isArray(list) ? list.map(fieldsOf) : []));
  const isLlamaCpp = entries.some(({ owned_by: owner }) => owner === 'llamacpp');
  const loaded = isLlamaCpp ? await propsWindow(server) : undefined;
  if (loaded !== undefined) return loaded;
  const found = entries.filter(({ id, name }) => id === model || name === model);
  // A server with one model answers with it, whatever it is called.
  return windowIn(found.length === 0 && entries.length === 1 ? entries : found);
}

/** How llama.cpp was started; its list knows only how the model was trained. */
async function propsWindow(server: AskedServer): Promise<number | undefined> {
  const { default_generation_settings: settings } = fieldsOf(await get(server, new URL('/props', server.baseURL).href));
  return windowIn([fieldsOf(settings)]);
}

function windowIn(entries: readonly Fields[]): number | undefined {
  for (const entry of entries) {
    // The provider to which OpenRouter sends most requests may take less than the model.
    const told = [tokensIn(entry, fieldsOf(entry['meta'])), tokensIn(fieldsOf(entry['top_provider']))];
    const tokens = told.flatMap((count) => count ?? []);
    if (tokens.length > 0) return Math.min(...tokens);
  }
  return undefined;
}

function tokensIn(...places: readonly Fields[]): number | undefined {
  const values = NAMES.flatMap((name) => places.map((place) => place[name]));
  return values.find((value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0);
}

async function get({ apiKey }: AskedServer, url: string): Promise<unknown> {
  const [key = ''] = apiKey?.split(',') ?? [];
  const headers: Record<string, string> = key.trim() === '' ? {} : { authorization: `Bearer ${key.trim()}` };
  try {
    // A redirect could take the key to any host.
    const response = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = response.ok ? await response.text() : '';
    return text.length > MAX_CHARS ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
