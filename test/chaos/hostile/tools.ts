import type { ResponsesProviderSettings } from 'responses-loop';
import type { JsonObject } from '../../../src/core/json.js';
import type { HostileRun } from './observation.js';

type LocalTools = NonNullable<ResponsesProviderSettings['tools']>;

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    m: { type: 'string' },
    path: { enum: ['/data'] },
    tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  },
};

/** A tool that reads, one that writes, and one that asks the user first. */
export function localTools(runs: HostileRun[]): LocalTools {
  const make = (tool: string, rest: Partial<LocalTools[string]>): LocalTools[string] => ({
    description: `The tool ${tool}.`,
    inputSchema: SCHEMA,
    execute: (args) => {
      runs.push({ tool, args });
      return `ok ${String(args['m'])}`;
    },
    ...rest,
  });
  return { look: make('look', { readOnly: true }), act: make('act', {}), pay: make('pay', { needsApproval: true }) };
}

/** Tools of the client: `ask`, and more with names that clash with each other once they are made legal. */
export function clientTools(count: number): JsonObject[] {
  const names = [
    'ask',
    ...Array.from({ length: count }, (_, at) => `tool ${at}!`.replace(/ /g, at % 2 === 0 ? ' ' : '_')),
  ];
  return names.map((name) => ({ type: 'function', name, inputSchema: { type: 'object' } }));
}
