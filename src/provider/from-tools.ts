import type { JsonObject } from '../core/json.js';
import type { HostedTool, ToolChoice, ToolDeclaration } from '../core/tool.js';
import { asRecord, asRecords, asString } from '../util/guards.js';
import { METADATA_KEY } from './metadata.js';
import { defined } from '../util/defined.js';

/** The caller's tools, sorted out. */
export interface CallTools {
  readonly clientTools: readonly ToolDeclaration[];
  readonly hostedTools: readonly HostedTool[];
  /** Stubs of loop tools among them: their parts may be shown. */
  readonly declaredLoopTools: readonly string[];
  readonly warnings: readonly string[];
}

const NO_TOOLS: CallTools = { clientTools: [], hostedTools: [], declaredLoopTools: [], warnings: [] };

/** Function tools in every version's shape; hosted ones are `provider-defined` in `ai` 5 and `provider` since 6. */
export function fromTools(tools: readonly unknown[] | undefined, strictByDefault = false): CallTools {
  const records = asRecords(tools);
  if (records.length === 0) return NO_TOOLS;
  const functions = records.filter((tool) => tool['type'] === 'function');
  const stubs = functions.filter(isStub);
  const hosted = records.filter((tool) => tool['type'] !== 'function');
  return {
    clientTools: functions.filter((tool) => !isStub(tool)).map((tool) => toDeclaration(tool, strictByDefault)),
    declaredLoopTools: stubs.map((tool) => String(tool['name'])),
    hostedTools: hosted.flatMap((tool) => toHosted(tool) ?? []),
    warnings: hosted
      .filter((tool) => toHosted(tool) === undefined)
      .map(
        (tool) =>
          `The tool ${JSON.stringify(tool['id'] ?? tool['name'])} belongs to another provider and was not sent.`,
      ),
  };
}

export function fromToolChoice(choice: unknown): ToolChoice {
  const type = asString(asRecord(choice)?.['type']) ?? 'auto';
  if (type === 'tool') return { type, name: asString(asRecord(choice)?.['toolName']) ?? '' };
  return { type: type === 'none' || type === 'required' ? type : 'auto' };
}

export function isStub(tool: Record<string, unknown>): boolean {
  return asRecord(asRecord(tool['providerOptions'])?.[METADATA_KEY])?.['loopTool'] === true;
}

function toDeclaration(tool: Record<string, unknown>, strictByDefault: boolean): ToolDeclaration {
  const description = asString(tool['description']);
  return {
    name: String(tool['name']),
    ...defined({ description }),
    // JSON Schema is JSON.
    inputSchema: (asRecord(tool['inputSchema']) ?? { type: 'object', properties: {} }) as JsonObject,
    ...((tool['strict'] ?? strictByDefault) === true ? { strict: true } : {}),
  };
}

/** `openai.web_search`: the provider it was made for, and the kind of tool. */
function toHosted(tool: Record<string, unknown>): HostedTool | undefined {
  const [provider, type] = (asString(tool['id']) ?? '').split('.', 2);
  if (type === undefined || !OWN_FAMILY.has(provider ?? '')) return undefined;
  // The AI SDK types a provider tool's arguments as JSON.
  return { type, name: asString(tool['name']) ?? type, args: (asRecord(tool['args']) ?? {}) as JsonObject };
}

/** Providers whose tools are tools of the Responses API. */
const OWN_FAMILY: ReadonlySet<string> = new Set(['openai', 'azure', 'xai', METADATA_KEY]);
