import type { JsonObject } from '../../core/json.js';
import type { Answer } from './answer.js';
import { isAboutModel } from '../cause.js';
import { message } from './probe.js';
import type { Auth, Manner, Visit } from './visit.js';

/** Enough tokens for reasoning and a word, too few to cost anything. */
const MOST = { max_output_tokens: 400 };
const UNKEPT = { store: false };

const BASES: readonly JsonObject[] = [{ ...MOST, ...UNKEPT }, MOST, UNKEPT, {}];
const AUTHS: readonly Auth[] = ['bearer', 'api-key', 'x-goog-api-key'];
const STEPS = ['/v1', '/api/v1', '/openai/v1', ''];

export const HELLO: JsonObject = { input: [message('Say the word ok and nothing else.')] };

interface Tried {
  readonly answer: Answer;
  readonly manner: Manner;
}

/** Statuses that a server other than a Responses API seldom returns at its path. */
const OF_AN_API: ReadonlySet<number> = new Set([400, 401, 422, 429]);

function isOfAnAPI({ answer }: Tried): boolean {
  return isAboutModel(answer) || OF_AN_API.has(answer.status);
}

/** Returns the dial to turn after an answer; the search ends at the last position. */
function dialOf(answer: Answer): 'url' | 'auth' | 'base' | undefined {
  const { status, kind } = answer;
  if (isAboutModel(answer)) return undefined;
  if (status === 404 || status === 405 || (kind === 'broken' && status === 200 && !answer.isStream)) return 'url';
  if (status === 401 || status === 403) return 'auth';
  return status === 400 || status === 422 ? 'base' : undefined;
}

/**
 * Asks for a word until the server sends one: at the usual places, with the usual headers for a key, and without
 * refused fields. If nothing works, it returns the first answer of an API, else the first of all.
 */
export async function findManner(visit: Visit, stream: boolean): Promise<Tried> {
  const dials = {
    url: placesOf(visit.manner.url),
    auth: visit.hasKey ? AUTHS : AUTHS.slice(0, 1),
    base: BASES,
  };
  const at = { url: 0, auth: 0, base: 0 };
  const tried: Tried[] = [];
  for (;;) {
    const manner: Manner = {
      url: dials.url[at.url] ?? visit.manner.url,
      auth: dials.auth[at.auth] ?? 'bearer',
      base: dials.base[at.base] ?? {},
      stream,
    };
    const answer = await visit.ask(HELLO, { manner });
    if (answer.kind === 'answer') return { answer, manner };
    tried.push({ answer, manner });
    const dial = dialOf(answer);
    if (dial === undefined || at[dial] + 1 >= dials[dial].length || visit.signal.aborted)
      return tried.find(isOfAnAPI) ?? tried[0] ?? { answer, manner };
    at[dial] += 1;
  }
}

/** Returns the URL, and the usual places of other servers. */
function placesOf(url: string): readonly string[] {
  const { origin, search } = new URL(url);
  return [...new Set([url, ...STEPS.map((step) => `${origin}${step}/responses${search}`)])];
}
