import { errorText } from '../../util/error-text.js';
import { asRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { oneLine } from '../words.js';
import { type Answer, callsOf, errorWords, finalEvent, type Item, itemsOf, textOf, usageOf } from './answer.js';
import { type BodyRead, readBody } from './read-body.js';

export interface Question {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: a GET. */
  readonly body?: unknown;
  readonly signal: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
  /** Removes secrets from the server's text before any cut, which would leave half a key. */
  readonly hide: (text: string) => string;
  /** Stops reading and closes the connection at the first event for which this is true. */
  readonly until?: ((event: Item) => boolean) | undefined;
}

const NEVER = (): boolean => false;
const SHOWN = 200;
/** Longer texts are neither searched for secrets nor shown. */
const MAX_READ = 10_000;

/** Sends one raw request and returns its result; never throws. */
export async function ask(question: Question): Promise<Answer> {
  const started = performance.now();
  const { body, until = NEVER } = question;
  const ending = new AbortController();
  const signal = AbortSignal.any([question.signal, ending.signal]);
  let response: Response | undefined;
  try {
    response = await question.fetch(question.url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? question.headers : { 'content-type': 'application/json', ...question.headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    });
    const read = await readBody(response.body, until);
    if (read.end !== 'end') ending.abort();
    return readAnswer(response, read, { started, say: sayer(question.hide) });
  } catch (error) {
    const problem = question.signal.aborted ? timeWords(response) : `the connection broke: ${errorText(error)}`;
    return { ...nothing(response, started), kind: 'broken', problem };
  }
}

function timeWords(response: Response | undefined): string {
  return response === undefined ? 'nothing came in time' : `${response.status}, and its body did not end in time`;
}

/** Quotes the server: its error, else its body. */
type Say = (json: Item | undefined, text: string) => string;

function sayer(hide: Question['hide']): Say {
  return (json, text) => {
    const words = (json === undefined ? undefined : errorWords(json)) ?? text;
    const line = oneLine(hide(words.slice(0, MAX_READ)), SHOWN);
    return line === '' ? 'without a word' : `“${line}”`;
  };
}

interface Reading {
  readonly started: number;
  readonly say: Say;
}

function readAnswer(response: Response, read: BodyRead, { started, say }: Reading): Answer {
  const { events, isStream } = read;
  const json = isStream ? undefined : asRecord(parseJson(read.text));
  const final = finalEvent(events);
  const body = json ?? asRecord(final?.['response']) ?? {};
  const items = itemsOf(events, body);
  return {
    ...nothing(response, started),
    ...judge(response, read, json, say),
    events,
    isStream,
    items,
    body,
    text: textOf(items, events),
    calls: callsOf(items),
    usage: usageOf(body),
    chunks: read.chunks,
    isLeft: read.end === 'left',
    hasEventLines: read.hasEventLines,
    firstMs: (read.firstAt ?? performance.now()) - started,
  };
}

type Judged = Pick<Answer, 'kind' | 'problem'>;
const GOOD: Judged = { kind: 'answer', problem: '' };
const broken = (problem: string): Judged => ({ kind: 'broken', problem });

function judge(response: Response, read: BodyRead, json: Item | undefined, say: Say): Judged {
  const { status } = response;
  if (status >= 300 && status < 400)
    return broken(`${status}, a redirect to ${response.headers.get('location') ?? 'nowhere'}`);
  if (status >= 400) return { kind: 'refused', problem: `${status} ${say(json, read.text)}` };
  if (read.end === 'too-large') return broken(`${status} and a body of more than 4 MB`);
  if (read.end === 'left') return GOOD;
  return read.isStream ? judgeStream(read.events, say) : judgeWhole(status, read.text, json, say);
}

function judgeStream(events: readonly Item[], say: Say): Judged {
  const error = events.find(({ type }) => type === 'error' || type === 'response.failed');
  if (error !== undefined) {
    const inner = asRecord(error['response']) ?? error;
    return { kind: 'refused', problem: `an error in the stream: ${say(inner, JSON.stringify(error))}` };
  }
  if (finalEvent(events) !== undefined) return GOOD;
  return broken(events.length === 0 ? '200 and a stream without events' : 'a stream without a last event');
}

function judgeWhole(status: number, text: string, json: Item | undefined, say: Say): Judged {
  if (/^\s*</.test(text)) return broken(`${status} and a web page (${say(undefined, text)})`);
  if (json === undefined) return broken(`${status} and no JSON (${say(undefined, text)})`);
  // Some servers send errors with a good status.
  const isFailure = json['success'] === false || json['status'] === 'failed';
  if (asRecord(json['error']) === undefined && !isFailure) return GOOD;
  return { kind: 'refused', problem: `${status} with an error: ${say(json, text)}` };
}

/** An answer of which nothing is known yet. */
function nothing(response: Response | undefined, started: number): Answer {
  const ms = performance.now() - started;
  return {
    ...GOOD,
    status: response?.status ?? 0,
    headers: Object.fromEntries(response?.headers ?? []),
    isStream: false,
    events: [],
    items: [],
    body: {},
    text: '',
    calls: [],
    usage: undefined,
    chunks: 0,
    isLeft: false,
    hasEventLines: false,
    ms,
    firstMs: ms,
  };
}
