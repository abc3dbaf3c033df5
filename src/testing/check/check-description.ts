import { isRecord } from '../../util/guards.js';
import {
  aBoolean,
  aNumber,
  anObject,
  aText,
  type Check,
  isText,
  listOf,
  type Members,
  must,
  objectOf,
  oneOf,
  optional,
} from './checks.js';

const isDeltas = (value: unknown): boolean => isText(value) || (Array.isArray(value) && value.every(isText));
const deltas = must(isDeltas, 'a text or a list of texts');
const id = optional(aText);

/** What a response puts out, by type. */
const OUTPUTS: Readonly<Record<string, Members>> = {
  text: { type: aText, text: deltas, phase: id, annotations: optional(listOf(anObject)), id },
  refusal: { type: aText, text: deltas, id },
  reasoning: { type: aText, summary: optional(listOf(deltas)), text: optional(deltas), encrypted: optional(aText), id },
  call: {
    type: aText,
    name: aText,
    arguments: must((value) => isRecord(value) || isDeltas(value), 'an object, a text or a list of texts'),
    callId: id,
    id,
  },
  item: { type: aText, item: must((value) => isRecord(value) && isText(value['type']), 'an object with a type') },
};

const TYPES = Object.keys(OUTPUTS);
const aType = oneOf(...TYPES);
const aTypedObject = must(isRecord, `an object with a type: ${TYPES.join(', ')}`);

export function isOutputType(type: unknown): boolean {
  return isText(type) && TYPES.includes(type);
}

const output: Check = (value, place) => {
  if (!isRecord(value)) return aTypedObject(value, place);
  const { type } = value;
  const members = isText(type) && isOutputType(type) ? OUTPUTS[type] : undefined;
  return members === undefined ? aType(type, `${place}.type`) : objectOf(members)(value, place);
};

const DESCRIPTION: Members = {
  output: listOf(output),
  id,
  model: optional(aText),
  createdAt: optional(aNumber),
  interleaveCalls: optional(aBoolean),
  status: optional(oneOf('completed', 'incomplete', 'failed', 'none')),
  incompleteReason: optional(aText),
  error: optional(anObject),
  usage: optional(must((value) => value === null || isRecord(value), 'an object or null')),
  fields: optional(anObject),
};

/** A step that describes a response. */
export const describedReply: Check = objectOf(DESCRIPTION);

const description = objectOf({ ...DESCRIPTION, output: optional(listOf(output)) });

/** @throws TypeError naming the function it was given to, the place, and what belongs there. */
export function checkDescription(value: unknown, caller: string): void {
  const problem = description(value, 'description');
  if (problem !== undefined) throw new TypeError(`${caller}: ${problem}`);
}
