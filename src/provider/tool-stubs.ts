import type { Tool } from '@ai-sdk/provider-utils';
import type { ToolOffer } from '../tools/loop-tool.js';
import { STUB_OPTIONS } from './from-tools.js';

/** Tools by name, as `streamText` and `generateText` take them. */
export type ToolStubs = Record<string, Tool>;

/** What a provider tells about a loop tool. */
export interface LoopToolInfo {
  /** The name the model uses. */
  readonly name: string;
  /** The key of the MCP server, or `local`. */
  readonly source: string;
  /** The name at its source. */
  readonly originalName: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly readOnly: boolean;
}

/**
 * Declarations of the loop tools without `execute`: given to a call, they make the parts of those tools visible under
 * `ai` 5, which takes a call of an undeclared tool for an error. The mark tells our model that the tool is ours.
 */
export async function createToolStubs(offer: ToolOffer): Promise<ToolStubs> {
  const { jsonSchema } = await import('@ai-sdk/provider-utils');
  return Object.fromEntries(
    offer.tools.map(({ declaration }) => [
      declaration.name,
      {
        type: 'dynamic',
        description: declaration.description,
        // Our JSON object and the SDK's JSON schema type are the same thing with different names.
        inputSchema: jsonSchema(declaration.inputSchema as Parameters<typeof jsonSchema>[0]),
        providerOptions: STUB_OPTIONS,
        // A dynamic tool's type asks for `execute`, but what the provider has executed is never executed again.
      } as unknown as Tool,
    ]),
  );
}

export function describeTools(offer: ToolOffer): LoopToolInfo[] {
  return offer.tools.map(({ declaration, source, tool }) => ({
    name: declaration.name,
    source: source.key,
    originalName: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(declaration.description === undefined ? {} : { description: declaration.description }),
    inputSchema: declaration.inputSchema,
    readOnly: tool.readOnly,
  }));
}
