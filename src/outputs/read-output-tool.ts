import type { JsonObject } from '../core/json.js';
import type { LoopTool } from '../tools/loop-tool.js';
import { ownTool } from '../tools/own-tool.js';
import { asNumber, asString } from '../util/guards.js';
import { defined } from '../util/defined.js';
import type { KeptOutputs, ReadOptions } from './kept-outputs.js';

const DESCRIPTION =
  'Reads an output of a tool that was too long and was cut. Pass the id that the mark in the output names: with "from" and ' +
  '"to" for a range of characters, or with "search" for the places of a text.';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'The id in the mark "[output cut: …]".' },
    from: { type: 'integer', minimum: 0, description: 'The first character, counted from 0. Default: 0.' },
    to: { type: 'integer', minimum: 1, description: 'The end of the range. Default: as much as fits into one answer.' },
    search: { type: 'string', description: 'A text to find from "from" on; case does not count.' },
  },
  required: ['id'],
  additionalProperties: false,
};

export interface ReadOutputOptions extends ReadOptions {
  readonly name: string;
  readonly kept: KeptOutputs;
}

/** Returns the tool with which the model reads what was kept. */
export function readOutputTool({ name, kept, ...options }: ReadOutputOptions): Promise<LoopTool> {
  return ownTool({
    name,
    description: DESCRIPTION,
    inputSchema: SCHEMA,
    // An answer keeps to the budget by itself.
    maxOutputChars: Infinity,
    execute({ id, from, to, search }) {
      const request = defined({ from: asNumber(from), to: asNumber(to), search: asString(search) });
      return kept.read(String(id), request, options);
    },
  });
}
