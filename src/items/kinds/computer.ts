import { isJsonObject, type JsonObject, toCamelCase } from '../../core/json.js';
import type { FileContent } from '../../core/message.js';
import { defined } from '../../util/defined.js';
import { list, object } from '../fields.js';
import type { CallKind } from '../kind.js';
import { inCamelCase, returnedBy, wireOf } from '../members.js';

export const computer = {
  type: 'computer_call',
  tool: 'computer',
  alsoTools: ['computer_use', 'computer_use_preview'],
  runsAt: () => 'client',
  input: ({ action, actions, pending_safety_checks: checks, status }) => ({
    // Older models send a single action.
    actions: toCamelCase(actions ?? (action === undefined || action === null ? [] : [action])),
    pendingSafetyChecks: toCamelCase(checks ?? []),
    status: status ?? 'completed',
  }),
  streaming: { frame: () => ({ opening: '', closing: '' }) },
  fromPart: ({ input, tool }) => {
    const { actions, pending_safety_checks: checks = [], status = 'completed' } = wireOf(input) ?? {};
    if (tool.type !== 'computer' || !Array.isArray(actions)) return undefined;
    return { status, actions, pending_safety_checks: checks };
  },
  may: { action: object, actions: list, pending_safety_checks: list },
  output: {
    type: 'computer_call_output',
    result: inCamelCase('output', 'acknowledged_safety_checks'),
    /** Writes a screenshot: an image among the contents, else `{output, acknowledgedSafetyChecks}`, else `output` alone. */
    write: (output) => {
      const image = output.content.find((part) => part.type === 'file');
      if (image?.type === 'file') return { output: { type: 'computer_screenshot', ...placeOf(image) } };
      const { output: inner, acknowledged_safety_checks: checks, ...rest } = returnedBy(output);
      return {
        output: { type: 'computer_screenshot', ...(isJsonObject(inner) ? inner : rest) },
        ...(Array.isArray(checks) ? { acknowledged_safety_checks: checks } : {}),
      };
    },
    // An image, which no text can replace.
    note: 'drop',
    needs: { output: object },
  },
} as const satisfies CallKind;

function placeOf({ source, mediaType, detail }: FileContent): JsonObject {
  const seen = defined({ detail });
  if (source.type === 'id') return { file_id: source.id, ...seen };
  return { image_url: source.type === 'url' ? source.url : `data:${mediaType};base64,${source.base64}`, ...seen };
}
