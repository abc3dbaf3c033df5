import { defined } from '../../util/defined.js';
import { object, text } from '../fields.js';
import type { CallKind } from '../kind.js';
import { pick, wireOf } from '../members.js';

/** Code that the model wrote and the server runs. It calls functions and waits for their outputs. */
export const program = {
  type: 'program',
  tool: 'programmatic_tool_calling',
  runsAt: () => 'server',
  declaredForServer: 'always',
  input: (item) => pick(item, ['code', 'fingerprint']),
  fromPart: ({ callId, input }) => {
    const { code, fingerprint } = wireOf(input) ?? {};
    return code === undefined ? undefined : { call_id: callId, code, ...defined({ fingerprint }) };
  },
  needsTrust: true,
  missingInAiSdk: true,
  needs: { call_id: text, code: text },
  may: { fingerprint: text, agent: object },
  isClosed: true,
  output: {
    type: 'program_output',
    result: (item) => pick(item, ['result', 'status']),
    fromPart: ({ callId, input }) => {
      const { result, status = 'completed' } = wireOf(input) ?? {};
      return result === undefined ? undefined : { call_id: callId, result, status };
    },
    needs: { call_id: text, result: text },
    mayBeLate: true,
    saysStatus: true,
    repeatedBy: ({ result }) => result,
  },
} as const satisfies CallKind;
