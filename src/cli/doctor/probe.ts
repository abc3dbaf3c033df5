import type { JsonObject, JsonValue } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import type { Answer } from './answer.js';
import type { Finding, Want, Wants } from './point.js';
import type { Visit } from './visit.js';

/** One thing to find out. */
export interface Probe {
  /** What is asked, in a few words; also its name in JSON and in recordings. */
  readonly name: string;
  /** Names of earlier probes that must have said `yes` or `partly`. */
  readonly needs?: readonly string[];
  readonly run: (visit: Visit) => Promise<Finding> | Finding;
}

/** The server is busy, or no longer knows the key: this says nothing about what was asked. */
const SAYS_NOTHING = new Set([401, 403, 408, 429, 502, 503, 504]);

export function saysNothing({ kind, status }: Pick<Answer, 'kind' | 'status'>): boolean {
  return kind === 'broken' || SAYS_NOTHING.has(status);
}

interface Rules {
  /** What it means that the server answers; default a plain `yes`. */
  readonly yes?: (answer: Answer) => Finding;
  /** What it means that the server refuses. */
  readonly limit?: string;
  readonly wants?: Wants;
}

/** The finding that most answers lead to: taken, refused, or nothing to learn from. */
export function judged(answer: Answer, { yes = () => taken(), limit, wants }: Rules = {}): Finding {
  if (answer.kind === 'answer') return yes(answer);
  if (saysNothing(answer)) return { verdict: 'unknown', detail: answer.problem };
  return { verdict: 'no', detail: `refused: ${answer.problem}`, ...defined({ limit, wants }) };
}

export function taken(wants?: Wants): Finding {
  return { verdict: 'yes', detail: 'taken', ...defined({ wants }) };
}

/** A probe of one request. What is not known beforehand may be asked of the visit. */
export function asking(
  name: string,
  fields: Readonly<Record<string, JsonValue | undefined>>,
  rules: Rules | ((visit: Visit) => Rules) = {},
): Probe {
  return {
    name,
    run: async (visit) => judged(await visit.ask(fields), typeof rules === 'function' ? rules(visit) : rules),
  };
}

interface Suggestion<T> extends Want<T> {
  readonly works: (value: unknown) => boolean;
}

/** The profile has to say exactly this. */
export function must<T>(best: T): Suggestion<T> {
  return { works: (value) => value === best, best };
}

/** Any profile works; this one makes use of what the server can. */
export function may<T>(best: T): Suggestion<T> {
  return { works: () => true, best, isBetter: true };
}

export type Role = 'user' | 'system' | 'developer';

export function message(text: string, role: Role = 'user'): JsonObject {
  return { type: 'message', role, content: [{ type: 'input_text', text }] };
}

export function said(text: string, extra: JsonObject = {}): JsonObject {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', role: 'assistant', status: 'completed', ...extra, content };
}

export function tool(name: string, description: string, properties: JsonObject): JsonObject {
  const required = Object.keys(properties);
  const parameters = { type: 'object', properties, required, additionalProperties: false };
  return { type: 'function', name, description, parameters, strict: false };
}
