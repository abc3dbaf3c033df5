import { isRecord } from '../../util/guards.js';
import {
  type Check,
  type Members,
  aBoolean,
  aFunction,
  aNumber,
  aText,
  anObject,
  isNumber,
  isPromise,
  isText,
  jsonText,
  listOf,
  must,
  objectOf,
  oneOf,
  optional,
  throwIf,
} from '../checks.js';

const isBytes = (value: unknown): boolean => isText(value) || value instanceof Uint8Array;
const isDeltas = (value: unknown): boolean => isText(value) || (Array.isArray(value) && value.every(isText));
const isTyped = (value: unknown): boolean => isRecord(value) && isText(value['type']);

const deltas = must(isDeltas, 'a text or a list of texts');

const id = optional(aText);

/** The members of each output, by type. */
const OUTPUTS: Readonly<Record<string, Members>> = {
  text: { type: aText, text: deltas, phase: id, annotations: optional(listOf(anObject)), id },
  refusal: { type: aText, text: deltas, id },
  reasoning: { type: aText, summary: optional(listOf(deltas)), text: optional(deltas), encrypted: id, id },
  call: {
    type: aText,
    name: aText,
    arguments: must((value) => isRecord(value) || isDeltas(value), 'an object, a text or a list of texts'),
    callId: id,
    id,
  },
  item: { type: aText, item: must(isTyped, 'an object with a type') },
};
const TYPES = Object.keys(OUTPUTS);

const isOutputType = (type: unknown): type is string => isText(type) && TYPES.includes(type);

const output: Check = (value, place) => {
  if (!isRecord(value)) return must(() => false, `an object with a type: ${TYPES.join(', ')}`)(value, place);
  const { type } = value;
  return isOutputType(type) ? objectOf(OUTPUTS[type] ?? {})(value, place) : oneOf(...TYPES)(type, `${place}.type`);
};

const DESCRIPTION: Members = {
  output: listOf(output),
  id,
  model: id,
  createdAt: optional(aNumber),
  interleaveCalls: optional(aBoolean),
  status: optional(oneOf('completed', 'incomplete', 'failed', 'none')),
  incompleteReason: id,
  error: optional(anObject),
  usage: optional(must((value) => value === null || isRecord(value), 'an object or null')),
  fields: optional(anObject),
};

const REPLY: Members = {
  status: optional(must(isStatus, 'a whole number from 200 to 599')),
  headers: optional(must(canBeSent, 'headers that can be sent')),
  after: optional(must(isPromise, 'a promise')),
};

const STREAM: Members = {
  ...REPLY,
  rechunk: optional(aFunction),
  delayMs: optional(must(isDelay, 'a number or a list of numbers')),
  ending: optional(oneOf('end', 'reset', 'stall')),
};

const event = must((value) => isPromise(value) || isTyped(value), 'an event: an object with a type, or a promise');
const pieces = listOf(must((value) => isBytes(value) || isPromise(value), 'a text, bytes, or a promise'));

/** The kinds of replies, by the member that only this kind has. */
const KINDS: Readonly<Record<string, Check>> = {
  output: objectOf(DESCRIPTION),
  events: objectOf({ events: listOf(event), eventLines: optional(aBoolean), done: optional(aBoolean), ...STREAM }),
  bytes: objectOf({ bytes: (value, place) => (isBytes(value) ? undefined : pieces(value, place)), ...STREAM }),
  json: objectOf({ json: must((value) => jsonText(value) !== undefined, 'JSON'), ...REPLY }),
  html: objectOf({ html: aText, ...REPLY }),
  none: objectOf({ none: oneOf('reset', 'stall'), after: optional(must(isPromise, 'a promise')) }),
};
const ONE_OF = `one of ${Object.keys(KINDS).join(', ')}`;

/** Checks an answer to a request: a step that is no function. */
export const checkAnswer: Check = (value, place) => {
  if (isText(value)) return undefined;
  if (Array.isArray(value)) return listOf(bareEvent)(value, place);
  if (!isRecord(value)) {
    return must(() => false, `a text, a list of events, or an object with ${ONE_OF}`)(value, place);
  }
  const kinds = Object.keys(KINDS).filter((name) => name in value);
  const [kind = ''] = kinds;
  if (kinds.length === 1) return KINDS[kind]?.(value, place);
  const [other] = Object.keys(value);
  const found = kinds.length > 1 ? kinds.join(' and ') : other === undefined ? 'nothing' : `"${other}"`;
  return `${place} has ${found}, but must have ${ONE_OF}.`;
};

/** A list of outputs looks like a list of events, and readers would skip them as unknown events. */
const bareEvent: Check = (value, place) => {
  const type = isRecord(value) ? value['type'] : undefined;
  return isOutputType(type)
    ? `${place} has the type "${type}", which is not an event: put the output of a response into { output: [ … ] }.`
    : event(value, place);
};

/** The result of a function of the request is not known yet. */
const step: Check = (value, place) => (typeof value === 'function' ? undefined : checkAnswer(value, place));

/** @throws TypeError with the step and what belongs there. */
export function checkScript({ steps, otherwise }: { readonly steps?: unknown; readonly otherwise?: unknown }): void {
  throwIf(optional(listOf(step))(steps, 'steps') ?? optional(step)(otherwise, 'otherwise'));
}

/** @throws TypeError with the called function, the place, and what belongs there. */
export function checkDescription(value: unknown, caller: string): void {
  throwIf(objectOf({ ...DESCRIPTION, output: optional(listOf(output)) })(value, `${caller}: description`));
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
}

function isDelay(value: unknown): boolean {
  return isNumber(value) || (Array.isArray(value) && value.every(isNumber));
}

function canBeSent(value: unknown): boolean {
  if (!isRecord(value)) return false;
  try {
    return Object.entries(value).every(([name, one]) => isText(one) && new Headers([[name, one]]).has(name));
  } catch {
    return false;
  }
}
