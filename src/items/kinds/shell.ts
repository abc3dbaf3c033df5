import { type JsonObject, NAMED_BY_USERS, toCamelCase } from '../../core/json.js';
import { asArray, asRecord } from '../../util/guards.js';
import { list, object, text } from '../fields.js';
import type { CallKind } from '../kind.js';
import { COMPLETED, doing, inCamelCase, objectOf, returnedBy, textOf } from '../members.js';

const ofAction = ({ action }: JsonObject): JsonObject => ({ action: toCamelCase(action ?? {}, NAMED_BY_USERS) });

const EXITED = { type: 'exit', exit_code: 0 };

export const localShell = {
  type: 'local_shell_call',
  tool: 'local_shell',
  runsAt: () => 'client',
  input: ofAction,
  fromPart: doing('action', { type: 'exec' }),
  may: { action: object },
  output: {
    type: 'local_shell_call_output',
    result: inCamelCase('output'),
    write: (output) => ({ output: objectOf(textOf(output))['output'] ?? textOf(output) }),
    note: (_item, note) => note,
    needs: { output: text },
  },
} as const satisfies CallKind;

/** Anything but the caller's own machine: containers, and what else may come. */
function isElsewhere(environment: unknown): boolean {
  const { type = 'local' } = asRecord(environment) ?? {};
  return type !== 'local';
}

export const shell = {
  type: 'shell_call',
  tool: 'shell',
  runsAt: ({ environment }) => {
    if (isElsewhere(environment)) return 'server';
    return asRecord(environment)?.['type'] === 'local' ? 'client' : 'either';
  },
  declaredForServer: ({ environment }) => isElsewhere(environment),
  input: ofAction,
  fromPart: doing('action', {}, COMPLETED),
  may: { action: object, environment: object, caller: object },
  output: {
    type: 'shell_call_output',
    result: inCamelCase('max_output_length', 'output'),
    write: (output) => {
      const { output: returned, max_output_length } = returnedBy(output);
      if (returned === undefined || returned === null)
        return { output: [{ stdout: textOf(output), stderr: '', outcome: EXITED }] };
      return { output: returned, ...(typeof max_output_length === 'number' ? { max_output_length } : {}) };
    },
    note: ({ output }, note) => {
      // What is a record in JSON is an object of it.
      const { outcome = EXITED } = (asRecord(asArray(output).at(-1)) ?? {}) as JsonObject;
      return [{ stdout: note, stderr: '', outcome }];
    },
    needs: { output: list },
  },
} as const satisfies CallKind;
