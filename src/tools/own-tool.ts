import type { JsonObject } from '../core/json.js';
import { createLocalSource } from './local/local-source.js';
import type { LocalTool } from './local/local-tool.js';
import type { LoopTool } from './loop-tool.js';

/** A tool that this package brings. It changes nothing, and reads only data that the call may have anyway. */
export interface OwnTool extends Required<Pick<LocalTool, 'execute'>> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** @default the call's budget of outputs */
  readonly maxOutputChars?: number;
}

/** The key by which events know the tools of this package. */
const OWN_SOURCE_KEY = 'responses-loop';

/** Returns the tool for the loop. Its calls need no approval. Its arguments are checked as usual. */
export async function ownTool({ name, description, inputSchema, execute, maxOutputChars }: OwnTool): Promise<LoopTool> {
  const given = { description, inputSchema, execute, maxOutputChars, readOnly: true };
  const source = { ...createLocalSource({ [name]: given }), key: OWN_SOURCE_KEY, kind: 'own' as const };
  const [tool] = await source.list();
  if (tool === undefined) throw new Error(`The tool "${name}" has a schema that cannot be read.`);
  return { declaration: { name, description, inputSchema }, source, tool };
}
