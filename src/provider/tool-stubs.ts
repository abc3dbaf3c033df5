import type { ToolOffer } from '../tools/loop-tool.js';
import { METADATA_KEY } from './metadata.js';
import { defined } from '../util/defined.js';

/** Marks a stub of a loop tool; it travels in the tool's provider options. */
const STUB_OPTIONS = { [METADATA_KEY]: { loopTool: true } } as const;

/** Tools by name, as `streamText` and `generateText` take them. */
export type ToolStubs = Record<string, ToolStub>;

/** The declaration of a loop tool. What the provider executes is never executed again, so there is no `execute`. */
export interface ToolStub {
  type: 'dynamic';
  description?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each copy of the SDK brands its schemas with a symbol of its own
  inputSchema: any;
  providerOptions: { 'responses-loop': { loopTool: true } };
}

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
    offer.tools.map(({ declaration: { name, description, inputSchema } }): [string, ToolStub] => [
      name,
      {
        type: 'dynamic',
        ...defined({ description }),
        // Our JSON object and the SDK's JSON schema type are the same thing with different names.
        inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
        providerOptions: STUB_OPTIONS,
      },
    ]),
  );
}

export function describeTools(offer: ToolOffer): LoopToolInfo[] {
  return offer.tools.map(({ declaration, source, tool }) => ({
    name: declaration.name,
    source: source.key,
    originalName: tool.name,
    ...defined({ title: tool.title, description: declaration.description }),
    inputSchema: declaration.inputSchema,
    readOnly: tool.readOnly,
  }));
}
