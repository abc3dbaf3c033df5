import { inspect } from 'node:util';

import { API_KEY, MCP_TOKEN, SEALED } from '../secrets.js';
import { type Checker, partsOf } from './checker.js';

const PLANTED: readonly string[] = [API_KEY, MCP_TOKEN, SEALED];

/** I18: nothing that was planted comes out again in an error, an event or a warning. */
export const secrets: Checker = ({ observation }) => {
  const { events, lanes } = observation;
  const calls = lanes.flatMap((lane) => lane.calls);
  const told: (readonly [string, unknown])[] = [
    ...events.map((event) => [`event ${event.type}`, event] as const),
    ...calls.flatMap((call) => [
      ['rejection', call.rejected?.error] as const,
      ['warnings', call.result?.warnings] as const,
      ['metadata', call.result?.providerMetadata] as const,
      ...partsOf(call.parts, 'error').map((part) => ['error part', part.error] as const),
      ...partsOf(call.parts, 'stream-start').map((part) => ['warnings', part.warnings] as const),
      ...partsOf(call.parts, 'finish').map((part) => ['finish', part] as const),
    ]),
    ...lanes.map((lane) => ['error of the SDK', lane.sdk.rejected] as const),
  ];
  return told.flatMap(([where, value]) => leaksIn(value).map((secret) => `${where} holds ${secret.slice(0, 12)}…`));
};

function leaksIn(value: unknown): string[] {
  if (value === undefined) return [];
  // Everything an error carries: message, stack, causes and fields.
  const text = inspect(value, {
    depth: 12,
    maxStringLength: null,
    maxArrayLength: null,
    showHidden: true,
    breakLength: Infinity,
  });
  return PLANTED.filter((secret) => text.includes(secret));
}
