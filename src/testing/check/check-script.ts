import { isRecord } from '../../util/guards.js';
import { describedReply, isOutputType } from './check-description.js';
import {
  aBoolean,
  aFunction,
  aText,
  type Check,
  isPromise,
  isText,
  jsonText,
  listOf,
  type Members,
  must,
  objectOf,
  oneOf,
  optional,
} from './checks.js';

const after = optional(must(isPromise, 'a promise'));

const REPLY: Members = {
  status: optional(must(isStatus, 'a whole number from 200 to 599')),
  headers: optional(must(canBeSent, 'headers that can be sent')),
  after,
};

const STREAM: Members = {
  ...REPLY,
  rechunk: optional(aFunction),
  delayMs: optional(must(isDelay, 'a number or a list of numbers')),
  ending: optional(oneOf('end', 'reset', 'stall')),
};

const event = must(
  (value) => isPromise(value) || (isRecord(value) && isText(value['type'])),
  'an event: an object with a type, or a promise',
);

const isBytes = (value: unknown): boolean => isText(value) || value instanceof Uint8Array;
const pieces = listOf(must((value) => isBytes(value) || isPromise(value), 'a text, bytes, or a promise'));

/** The kinds of replies, by the member that each of them has alone. */
const KINDS: Readonly<Record<string, Check>> = {
  output: describedReply,
  events: objectOf({ events: listOf(event), eventLines: optional(aBoolean), done: optional(aBoolean), ...STREAM }),
  bytes: objectOf({ bytes: (value, place) => (isBytes(value) ? undefined : pieces(value, place)), ...STREAM }),
  json: objectOf({ json: must((value) => jsonText(value) !== undefined, 'JSON'), ...REPLY }),
  html: objectOf({ html: aText, ...REPLY }),
  none: objectOf({ none: oneOf('reset', 'stall'), after }),
};

const NAMES = Object.keys(KINDS);
const ONE_OF = `one of ${NAMES.join(', ')}`;
const aStep = must(() => false, `a text, a list of events, or an object with ${ONE_OF}`);

/** How a request is answered: a step that is no function. */
export const checkAnswer: Check = (value, place) => {
  if (isText(value)) return undefined;
  if (Array.isArray(value)) return listOf(bareEvent)(value, place);
  if (!isRecord(value)) return aStep(value, place);
  const kinds = NAMES.filter((name) => name in value);
  const [kind = ''] = kinds;
  if (kinds.length === 1) return KINDS[kind]?.(value, place);
  const [other] = Object.keys(value);
  const found = kinds.length > 1 ? kinds.join(' and ') : other === undefined ? 'nothing' : `"${other}"`;
  return `${place} has ${found}, but must have ${ONE_OF}.`;
};

/** A list of outputs looks like a list of events, and would be passed over as events that nobody knows. */
const bareEvent: Check = (value, place) => {
  const type = isRecord(value) ? value['type'] : undefined;
  return isOutputType(type)
    ? `${place} has the type "${String(type)}", which is no event: what a response puts out belongs into { output: [ … ] }.`
    : event(value, place);
};

/** What a function of the request will give is not known yet. */
const step: Check = (value, place) => (typeof value === 'function' ? undefined : checkAnswer(value, place));

/** @throws TypeError naming the step, and what belongs there. */
export function checkScript(script: { readonly steps: unknown; readonly otherwise: unknown }): void {
  const { steps, otherwise } = script;
  const problem = optional(listOf(step))(steps, 'steps') ?? optional(step)(otherwise, 'otherwise');
  if (problem !== undefined) throw new TypeError(problem);
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
}

function isDelay(value: unknown): boolean {
  return typeof value === 'number' || (Array.isArray(value) && value.every((one) => typeof one === 'number'));
}

function canBeSent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  try {
    return Object.entries(value).every(([name, one]) => isText(one) && new Headers([[name, one]]).has(name));
  } catch {
    return false;
  }
}
