import { defined } from '../../util/defined.js';
import { asId, asRecord, asString } from '../../util/guards.js';
import { object } from '../fields.js';
import type { CallKind } from '../kind.js';
import { COMPLETED, doing, inCamelCase, objectOf, pick, textOf } from '../members.js';

export const applyPatch = {
  type: 'apply_patch_call',
  tool: 'apply_patch',
  runsAt: () => 'client',
  input: (item) => ({ callId: item['call_id'] ?? null, ...pick(item, ['operation']) }),
  streaming: {
    event: 'response.apply_patch_call_operation_diff.delta',
    /** The operation without its diff. Deleting a file needs no diff. */
    frame: (item) => {
      const { type, path } = asRecord(item['operation']) ?? {};
      const callId = asId(item['call_id']);
      if (callId === undefined || typeof type !== 'string' || typeof path !== 'string') return undefined;
      const whole = JSON.stringify({ callId, operation: { type, path } });
      return type === 'delete_file'
        ? { opening: whole, closing: '' }
        : { opening: `${whole.slice(0, -2)},"diff":"`, closing: '"}}' };
    },
    text: ({ operation }) => asString(asRecord(operation)?.['diff']) ?? '',
    // Half a surrogate pair is escaped; the escapes of both halves make the pair again.
    write: (diff) => JSON.stringify(diff).slice(1, -1),
  },
  fromPart: doing('operation', {}, COMPLETED),
  may: { operation: object, caller: object },
  output: {
    type: 'apply_patch_call_output',
    result: inCamelCase('status', 'output'),
    /** Takes `{status, output}` if the tool returned that, else its text. */
    write: (output) => {
      const said = textOf(output);
      const returned = objectOf(said, { output: said });
      const status = asString(returned['status']) ?? (output.isError ? 'failed' : 'completed');
      return { status, ...defined({ output: returned['output'] }) };
    },
    note: (_item, note) => note,
    needs: {},
  },
} as const satisfies CallKind;
