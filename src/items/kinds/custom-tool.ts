import { wireNameOf } from '../../core/tool.js';
import { asId, asRecord, asString } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { object, text, textOrList } from '../fields.js';
import type { CallKind } from '../kind.js';

export const customTool = {
  type: 'custom_tool_call',
  tool: 'custom',
  nameOf: ({ name }) => asString(name),
  declare: (body, tool) => ({ ...body, name: wireNameOf(tool) }),
  runsAt: () => 'client',
  // xAI's input is a string of JSON.
  ranAlone: ({ input, status }, shown) => {
    const written = asString(input) ?? '';
    return {
      input: asRecord(parseJson(written)) === undefined ? shown : written,
      result: { status: status ?? 'completed' },
    };
  },
  input: ({ input }) => input ?? '',
  streaming: {
    event: 'response.custom_tool_call_input.delta',
    frame: ({ name }) => (asId(name) === undefined ? undefined : { opening: '', closing: '' }),
    text: ({ input }) => asString(input) ?? '',
    encoding: 'text',
  },
  fromPart: ({ tool, input }) => ({ name: wireNameOf(tool), input: asString(input) ?? JSON.stringify(input) }),
  may: { name: text, input: text, namespace: text, caller: object },
  output: {
    type: 'custom_tool_call_output',
    result: ({ output }) => output ?? '',
    write: (_output, content) => ({ output: content }),
    note: (_item, note) => note,
    needs: { output: textOrList },
  },
} as const satisfies CallKind;
