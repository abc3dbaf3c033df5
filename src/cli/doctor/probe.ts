import type { JsonObject, JsonValue } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import type { Answer } from './answer.js';
import type { Finding, Want, Wants } from './point.js';
import type { Visit } from './visit.js';

/** One thing to find out. */
export interface Probe {
  /** The question in a few words; also its name in JSON and in recordings. */
  readonly name: string;
  /** Names of earlier probes whose verdict must be `yes` or `partly`. */
  readonly needs?: readonly string[];
  readonly run: (visit: Visit) => Promise<Finding> | Finding;
}

/** The server is busy or rejects the key, so the probe learned nothing. */
const SAYS_NOTHING = new Set([401, 403, 408, 429, 502, 503, 504]);

export function saysNothing({ kind, status }: Pick<Answer, 'kind' | 'status'>): boolean {
  return kind === 'broken' || SAYS_NOTHING.has(status);
}

interface Rules {
  /** Turns an answer into a finding; the default is a plain `yes`. */
  readonly yes?: (answer: Answer) => Finding;
  /** What a refusal means for the user. */
  readonly limit?: string;
  readonly wants?: Wants;
}

/** Returns the usual finding of an answer: accepted, refused, or unknown. */
export function judged(answer: Answer, { yes = () => taken(), limit, wants }: Rules = {}): Finding {
  if (answer.kind === 'answer') return yes(answer);
  if (saysNothing(answer)) return { verdict: 'unknown', detail: answer.problem };
  return { verdict: 'no', detail: `refused: ${answer.problem}`, ...defined({ limit, wants }) };
}

export function taken(wants?: Wants): Finding {
  return { verdict: 'yes', detail: 'taken', ...defined({ wants }) };
}

/** Makes a probe of one request. The visit supplies facts that are not known beforehand. */
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

/** Demands exactly this value of the profile. */
export function must<T>(best: T): Suggestion<T> {
  return { works: (value) => value === best, best };
}

/** Any value works; this one uses what the server offers. */
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
