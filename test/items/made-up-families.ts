import { text } from '../../src/items/fields.js';
import type { CallKind, HostedKind } from '../../src/items/kind.js';
import { textOf } from '../../src/items/members.js';
import { asRecord, asString } from '../../src/util/guards.js';

/** A call that the client answers. */
export const parcel = {
  type: 'parcel_call',
  tool: 'parcel',
  arguments: { 'openai.parcel': { members: { express: 'boolean' } } },
  declare: (body) => ({ ...body, unit: 'kg' }),
  include: { value: 'parcel_call.route' },
  runsAt: () => 'client',
  input: ({ address }) => ({ address: address ?? null }),
  streaming: {
    event: 'response.parcel_call_address.delta',
    frame: () => ({ opening: '{"address":"', closing: '"}' }),
    text: ({ address }) => asString(address) ?? '',
    write: (piece) => JSON.stringify(piece).slice(1, -1),
  },
  fromPart: ({ input }) => ({ status: 'completed', address: asString(asRecord(input)?.['address']) ?? '' }),
  may: { address: text },
  output: {
    type: 'parcel_call_output',
    result: ({ output }) => output ?? null,
    write: (output) => ({ output: textOf(output) }),
    note: (_item, note) => note,
    needs: { output: text },
  },
} as const satisfies CallKind;

/** Has a name that begins with the name of another family's tool, which the server runs. */
export const program = {
  ...parcel,
  type: 'parcel_program_call',
  tool: 'programmatic_tool_calling_parcel',
  streaming: { ...parcel.streaming, event: 'response.parcel_program_call_address.delta' },
  output: { ...parcel.output, type: 'parcel_program_call_output' },
} as const satisfies CallKind;

/** A tool that the server runs. */
export const scan = {
  type: 'scan_call',
  tool: 'scan',
  input: () => ({}),
  result: ({ status, code }) => ({ status: status ?? null, code: code ?? null }),
  preview: {
    event: 'response.scan_call.line',
    soFar: ({ line }) => ({ line: asString(line) ?? '' }),
    final: ({ code }) => ({ line: code ?? '' }),
    isAskedFor: () => true,
  },
  fromPart: ({ input }) => ({ status: 'completed', code: asString(asRecord(input)?.['code']) ?? '' }),
  may: { code: text },
} as const satisfies HostedKind;
