import { ownWords } from '../../core/clean-text.js';
import { isJsonObject, type JsonObject, type JsonValue, NAMED_BY_USERS, toCamelCase } from '../../core/json.js';
import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import { asArray, asRecord } from '../../util/guards.js';
import { list, object, text } from '../fields.js';
import type { CallKind } from '../kind.js';
import { COMPLETED, CONTAINER, doing, inCamelCase, objectOf, oneOf, returnedBy, textOf } from '../members.js';

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

/** Whether commands run anywhere but on the caller's machine. New environments count as elsewhere. */
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
  arguments: {
    'openai.shell': {
      members: {
        environment: {
          members: { type: oneOf('containerAuto', 'containerReference', 'local'), ...CONTAINER, containerId: 'string' },
        },
      },
    },
  },
  declare: ({ environment, ...body }, { name }, keys) =>
    isJsonObject(environment) ? { ...body, environment: environmentOf(environment, name, keys) } : body,
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
      // Its members are JSON.
      const { outcome = EXITED } = (asRecord(asArray(output).at(-1)) ?? {}) as JsonObject;
      return [{ stdout: note, stderr: '', outcome }];
    },
    needs: { output: list },
  },
} as const satisfies CallKind;

/** Without a type the commands run on the caller's machine. */
function environmentOf({ skills, ...environment }: JsonObject, tool: string, keys: readonly string[]): JsonObject {
  return {
    type: 'local',
    ...environment,
    ...(Array.isArray(skills) ? { skills: skills.map((skill) => skillOf(skill, tool, keys)) } : {}),
  };
}

/** Replaces an uploaded skill's reference, which has an id per provider, by the id for this back end. */
function skillOf(skill: JsonValue, tool: string, keys: readonly string[]): JsonValue {
  if (!isJsonObject(skill)) return skill;
  const { provider_reference: reference, ...rest } = skill;
  if (!isJsonObject(reference)) return skill;
  const id = keys.map((key) => reference[key]).find((found) => typeof found === 'string');
  if (id === undefined)
    throw new ResponsesLoopError({
      code: 'invalid-options',
      message: ownWords(
        `A skill of the tool "${tool}" has no id for ${keys.join(' or ')}: its providerReference names ${Object.keys(reference).join(', ') || 'nobody'}. Upload it there first.`,
      ),
    });
  return { version: 'latest', ...rest, skill_id: id };
}
