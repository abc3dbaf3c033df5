import { isJsonObject, type JsonValue } from '../../core/json.js';
import { list, text } from '../fields.js';
import type { HostedKind } from '../kind.js';
import { argumentsOf, CONTAINER, pick, telling } from '../members.js';

export const codeInterpreter = {
  type: 'code_interpreter_call',
  tool: 'code_interpreter',
  alsoIds: ['xai.code_execution'],
  steps: ['code_execution'],
  arguments: {
    'openai.code_interpreter': { members: { container: { either: ['string', { members: CONTAINER }] } } },
  },
  // xAI has no containers.
  declare: (body, { id }) =>
    id === 'xai.code_execution' ? body : { ...body, container: containerOf(body['container']) },
  include: { value: 'code_interpreter_call.outputs' },
  // Uses the declaration's words, because the AI SDK checks calls of declared tools. xAI puts the code into `arguments`.
  input: ({ code, container_id: containerId, arguments: asked }) => ({
    ...argumentsOf(asked),
    ...telling({ code, containerId }),
  }),
  result: (item) => pick(item, ['status', 'outputs']),
  may: { code: text, container_id: text, outputs: list },
} as const satisfies HostedKind;

/** Returns the id of a container, or a new container with files in it. */
function containerOf(container: JsonValue | undefined): JsonValue {
  if (typeof container === 'string') return container;
  return isJsonObject(container) && container['type'] !== undefined
    ? container
    : { type: 'auto', ...(isJsonObject(container) ? container : {}) };
}
