import type { ToolCallInfo } from '../tools/call/approval.js';
import { factsOf, type ToolFacts } from '../tools/tool-facts.js';
import type { LoopTool, Toolset } from '../tools/loop-tool.js';
import { METADATA_KEY } from '../sdk/parts/metadata.js';
import { defined } from '../util/defined.js';

/** Marks a stub of a loop tool, in the tool's provider options. */
const STUB_OPTIONS = { [METADATA_KEY]: { loopTool: true } } as const;

/** Tools by name, for `streamText` and `generateText`. */
export type ToolStubs = Record<string, ToolStub>;

/** The declaration of a loop tool. It has no `execute`, because the provider runs the tool. */
export interface ToolStub {
  type: 'dynamic';
  description?: string;
  title?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each copy of the SDK brands its schemas with a symbol of its own
  inputSchema: any;
  /** AI SDK 6 and 7 put it on the tool's parts, as `toolMetadata`. */
  metadata: ToolFacts;
  providerOptions: { 'responses-loop': { loopTool: true } };
}

/** A loop tool in the provider's list. */
export interface LoopToolInfo extends Pick<
  ToolCallInfo,
  'source' | 'originalName' | 'title' | 'description' | 'readOnly'
> {
  /** The name the model uses. */
  readonly name: string;
  /** The JSON schema of the arguments, as the model reads it. */
  readonly inputSchema: unknown;
}

/**
 * Declarations of the loop tools without `execute`: in a call, they make the parts of those tools visible under `ai` 5,
 * for which a call of an undeclared tool is an error. The mark tells our model that the tool is ours.
 */
export function createToolStubs(toolset: Toolset): ToolStubs {
  return Object.fromEntries(
    toolset.tools.map((tool): [string, ToolStub] => [
      tool.declaration.name,
      { ...stubOf(tool), providerOptions: STUB_OPTIONS },
    ]),
  );
}

/** Returns the declaration's facts for the AI SDK. */
export function stubOf({ declaration, source, tool }: LoopTool): Omit<ToolStub, 'providerOptions'> {
  const { description, inputSchema } = declaration;
  const facts = defined({ description, title: tool.title });
  return { type: 'dynamic', ...facts, inputSchema: schemaForAnySdk(inputSchema), metadata: factsOf(source, tool) };
}

/**
 * A schema with the marks of every AI SDK version. A package's `jsonSchema()` supports only its own version: next to
 * `@ai-sdk/mcp`, npm installs that of 6 or 7, whose schemas `ai` 5 treats as functions.
 */
function schemaForAnySdk(inputSchema: unknown): object {
  return {
    [Symbol.for('vercel.ai.schema')]: true,
    [Symbol.for('vercel.ai.validator')]: true,
    _type: undefined,
    jsonSchema: inputSchema,
    // The tool's run checks arguments.
    validate: undefined,
  };
}

export function describeTools(toolset: Toolset): LoopToolInfo[] {
  return toolset.tools.map(({ declaration, source, tool }) => ({
    name: declaration.name,
    source: source.key,
    originalName: tool.name,
    ...defined({ title: tool.title, description: declaration.description }),
    inputSchema: declaration.inputSchema,
    readOnly: tool.readOnly,
  }));
}
