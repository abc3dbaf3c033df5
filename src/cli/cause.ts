import { redactUrl } from '../observe/redact.js';
import { asRecord, asString } from '../util/guards.js';
import { type Answer, errorWords } from './doctor/answer.js';
import { withoutResponses } from './models.js';

const SHOWN_MODELS = 5;

/** A useless answer. Status 0: the server sent no answer. */
type Refusal = Pick<Answer, 'kind' | 'status' | 'problem' | 'headers' | 'body'>;

/** The server and the credentials that it was asked with. */
export interface Visit {
  readonly hasKey: boolean;
  /** A header of the user may be a key. */
  readonly hasCredentials: boolean;
  /** The variable that the key is read from, or would be. */
  readonly keyName: string;
  readonly model: string | undefined;
  /** The models that the server lists. */
  readonly models: readonly string[];
}

/** Returns what has to change so that the server answers; `undefined` if only its own words are known. */
export function causeOf(answer: Refusal, visit: Visit, url: string): string | undefined {
  if (answer.status === 0) return unreachable(answer, url);
  if (isAboutModel(answer)) return wrongModel(visit);
  return (
    CAUSES.find(({ statuses }) => statuses.includes(answer.status))?.say(visit, url, answer) ?? notTheAPI(answer, url)
  );
}

interface Cause {
  readonly statuses: readonly number[];
  readonly say: (visit: Visit, url: string, answer: Refusal) => string;
}

const CAUSES: readonly Cause[] = [
  {
    statuses: [401],
    say: (visit) =>
      visit.hasKey || visit.hasCredentials
        ? `the server refused ${credentialOf(visit)} (401): check that it is whole, not expired, and of this server`
        : `the server requires a key (401): put it into ${visit.keyName}, or name another variable with --api-key-env`,
  },
  {
    statuses: [403],
    say: (visit) =>
      visit.hasKey || visit.hasCredentials
        ? `${credentialOf(visit)} is known and not allowed this (403): check its permissions, its project and the model, or the network you call from`
        : `the server requires a key (403): put it into ${visit.keyName}, or name another variable with --api-key-env`,
  },
  {
    statuses: [404, 405],
    say: (_visit, url, { status }) =>
      `the server has no Responses API at ${rootOf(url)} or at the usual paths (${status}): set --base-url to the root of the API with its version, such as http://127.0.0.1:8080/v1`,
  },
  {
    statuses: [402],
    say: (visit) => `the account of ${credentialOf(visit)} has no money or quota left (402)`,
  },
  {
    statuses: [429],
    say: (visit) => `${credentialOf(visit)} is over its rate limit or quota (429): wait, or use another key`,
  },
  {
    statuses: [301, 302, 303, 307, 308],
    say: (_visit, _url, { headers }) =>
      `the server redirects to ${redactUrl(headers['location'] ?? 'nowhere')}, which is not followed: give that as --base-url, without /responses`,
  },
  {
    statuses: [500, 502, 503, 504],
    say: (_visit, _url, { status }) => `the server itself fails (${status}): its log says why; try again later`,
  },
];

function credentialOf({ hasKey, keyName }: Visit): string {
  return hasKey ? `the key in ${keyName}` : 'what --header sends';
}

/** Node's texts for failures below HTTP. */
const BELOW: readonly (readonly [words: RegExp, say: (host: string) => string])[] = [
  [/ECONNREFUSED/, (host) => `nothing listens at ${host}: start the server, or check host and port of --base-url`],
  [/ENOTFOUND|EAI_AGAIN/, (host) => `the name service does not know ${host}: check the host in --base-url`],
  [
    /certificate|self.signed|CERT_/i,
    (host) => `the certificate of ${host} is not trusted: name your certificates in NODE_EXTRA_CA_CERTS`,
  ],
  [
    /wrong version number|EPROTO|packet length/i,
    (host) => `${host} does not speak TLS: write http:// in place of https://`,
  ],
  [/in time/, (host) => `${host} did not answer in time: check that it is reachable, or give it longer with --timeout`],
];

function unreachable({ problem }: Refusal, url: string): string {
  const { host } = new URL(url);
  const known = BELOW.find(([words]) => words.test(problem));
  return known?.[1](host) ?? `${host} ends the connection without an answer: check host, port and scheme of --base-url`;
}

/** Recognises a web page, or JSON of another API. */
function notTheAPI({ kind, status }: Refusal, url: string): string | undefined {
  return kind === 'broken' && status === 200
    ? `the server at ${rootOf(url)} answers, but not as a Responses API: set --base-url to the root of the API with its version, such as http://127.0.0.1:8080/v1`
    : undefined;
}

function rootOf(url: string): string {
  return redactUrl(withoutResponses(url));
}

/** True if the server is right and the model is wrong: by a code, a parameter, or words with a 404. */
export function isAboutModel({ status, body }: Pick<Answer, 'status' | 'body'>): boolean {
  const error = asRecord(body['error']) ?? body;
  if (/^(?:unknown_|invalid_)?model(?:_not_found)?$|^deploymentnotfound$/i.test(asString(error['code']) ?? ''))
    return true;
  if (status !== 400 && status !== 404 && status !== 422) return false;
  return error['param'] === 'model' || (status === 404 && /\b(?:model|deployment)\b/i.test(errorWords(body) ?? ''));
}

function wrongModel({ model = '', models }: Visit): string {
  const named = models.slice(0, SHOWN_MODELS).map((name) => JSON.stringify(name));
  const more = models.length > named.length ? ` and ${models.length - named.length} more` : '';
  const list = named.length === 0 ? '' : `; it lists ${named.join(', ')}${more}`;
  return `the server has no model ${JSON.stringify(model)} for this key${list}: name one with --model`;
}
