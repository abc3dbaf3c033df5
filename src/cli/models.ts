import { asRecord, asRecords, asString } from '../util/guards.js';

/** Models that do not answer in text. */
const NO_TALKER = /embed|rerank|whisper|tts|dall-e|image|moderation|transcribe|realtime|audio/i;

/** Returns the URL of the models of a Responses API: `…/v1/models` for `…/v1/responses`. */
export function modelsURL(responsesURL: string): string {
  return withoutResponses(responsesURL, '/models');
}

/** Returns the URL without its last step, or with another one. */
export function withoutResponses(url: string, instead = ''): string {
  return url.replace(/\/responses(?=$|\?)/, instead);
}

/** Returns the entries of a model list: of `data`, as OpenAI has it, or of `models`. */
export function modelEntries(list: unknown): readonly Record<string, unknown>[] {
  const { data, models } = asRecord(list) ?? {};
  const entries = asRecords(data);
  return entries.length > 0 ? entries : asRecords(models);
}

export function modelNames(list: unknown): readonly string[] {
  return modelEntries(list).flatMap(({ id, name }) => asString(id) || asString(name) || []);
}

/** Returns the first model that answers in text; if none does, the first. */
export function modelToAsk(names: readonly string[]): string | undefined {
  return names.find((name) => !NO_TALKER.test(name)) ?? names[0];
}
