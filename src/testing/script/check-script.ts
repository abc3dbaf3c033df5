import { excerpt } from '../../util/excerpt.js';
import { isRecord } from '../../util/guards.js';

/** Returns a sentence about the fault of a value that begins with its place; `undefined` if the value is right. */
type Check = (value: unknown, place: string) => string | undefined;

/** The members of an object, by name. */
type Members = Readonly<Record<string, Check>>;

const MAX_CHARS = 60;

function must(isGood: (value: unknown) => boolean, be: string): Check {
  return (value, place) => (isGood(value) ? undefined : `${place} is ${written(value)}, but must be ${be}.`);
}

function written(value: unknown): string {
  const text = jsonText(value);
  if (text !== undefined) return excerpt(text, MAX_CHARS);
  return value === undefined ? 'undefined' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}

/** Returns `undefined` for what is no JSON. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isPromise = (value: unknown): boolean => isRecord(value) && typeof value['then'] === 'function';
const isBytes = (value: unknown): boolean => isText(value) || value instanceof Uint8Array;
const isDeltas = (value: unknown): boolean => isText(value) || (Array.isArray(value) && value.every(isText));
const isTyped = (value: unknown): boolean => isRecord(value) && isText(value['type']);

const aText = must(isText, 'a text');
const aNumber = must(isNumber, 'a number');
const aBoolean = must((value) => typeof value === 'boolean', 'true or false');
const aFunction = must((value) => typeof value === 'function', 'a function');
const anObject = must(isRecord, 'an object');
const deltas = must(isDeltas, 'a text or a list of texts');

const oneOf = (...values: readonly string[]): Check =>
  must((value) => isText(value) && values.includes(value), `one of ${values.join(', ')}`);

/** Allows an absent member and `undefined`, which code that passes options on treats alike. */
const optional =
  (check: Check): Check =>
  (value, place) =>
    value === undefined ? undefined : check(value, place);

const listOf =
  (check: Check): Check =>
  (value, place) =>
    Array.isArray(value)
      ? firstOf(value.map((member: unknown, at) => () => check(member, `${place}[${at}]`)))
      : must(() => false, 'a list')(value, place);

/** An object with these members and no others, because an unknown member is a slip without effect. */
const objectOf =
  (members: Members): Check =>
  (value, place) => {
    if (!isRecord(value)) return anObject(value, place);
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name));
    if (unknown !== undefined) return `${place} has "${unknown}", which is none of ${Object.keys(members).join(', ')}.`;
    return firstOf(
      Object.entries(members).map(
        ([name, check]) =>
          () =>
            check(value[name], `${place}.${name}`),
      ),
    );
  };

function firstOf(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

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
    ? `${place} has the type "${type}", which is no event: what a response puts out belongs into { output: [ … ] }.`
    : event(value, place);
};

/** The result of a function of the request is not known yet. */
const step: Check = (value, place) => (typeof value === 'function' ? undefined : checkAnswer(value, place));

/** @throws TypeError with the step and what belongs there. */
export function checkScript({ steps, otherwise }: { readonly steps: unknown; readonly otherwise: unknown }): void {
  throwIf(optional(listOf(step))(steps, 'steps') ?? optional(step)(otherwise, 'otherwise'));
}

/** @throws TypeError with the called function, the place, and what belongs there. */
export function checkDescription(value: unknown, caller: string): void {
  throwIf(objectOf({ ...DESCRIPTION, output: optional(listOf(output)) })(value, `${caller}: description`));
}

function throwIf(problem: string | undefined): void {
  if (problem !== undefined) throw new TypeError(problem);
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
