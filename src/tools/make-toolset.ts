import type { JsonObject } from '../core/json.js';
import type { FunctionOptions } from '../core/tool.js';
import { LeftOutOptions } from './left-out-options.js';
import type { LoopTool, ToolsetOptions, ServerInstructions, Toolset } from './loop-tool.js';
import { nameTools } from './names/name-tools.js';
import { normalizeInputSchema, type NormalizedSchema } from './schema/normalize-input-schema.js';
import { stripAddedNulls } from './schema/strip-added-nulls.js';
import { toStrictSchema } from './schema/to-strict-schema.js';
import type { SourceTool, ToolSource } from './tool-source.js';
import { defined } from '../util/defined.js';

/** What one source has right now. */
export interface SourceListing {
  readonly source: ToolSource;
  readonly tools: readonly SourceTool[];
  /** `false`: not reachable; its last known tools keep their claim on names, so that others are not renamed back and forth. */
  readonly isAvailable: boolean;
  /** What happened since the last listing. */
  readonly warnings: readonly string[];
  /** What the server wants every model to know that uses its tools. */
  readonly instructions: string | undefined;
}

/** Schemas by tool, as they are offered; a list that did not change is not worked through again. */
export type SchemaCache = WeakMap<SourceTool, OfferedSchema>;

type OfferedSchema = NormalizedSchema & { readonly strict?: NormalizedSchema | undefined };

interface Candidate {
  readonly source: ToolSource;
  readonly tool: SourceTool;
  readonly schema: JsonObject;
  /** Where it was asked for and can be had. */
  readonly strict: JsonObject | undefined;
  readonly isAvailable: boolean;
}

/** Names the tools, drops what cannot be offered, keeps the order of the sources. */
export function makeToolset(listings: readonly SourceListing[], cache: SchemaCache, options: ToolsetOptions): Toolset {
  const warnings: string[] = [];
  const left = new LeftOutOptions(options.knownOptions);
  const candidates = listings.flatMap((listing) => withSchemas(listing, { cache, warnings, options }));
  const owners = candidates.map(({ source, tool }) => ({
    kind: source.kind ?? 'local',
    source: source.key,
    tool: tool.name,
  }));
  const names = nameTools(owners, options);
  const clientNames = new Set(options.clientNames);
  const byWireName = new Map<string, LoopTool>();
  for (const [index, candidate] of candidates.entries()) {
    if (!candidate.isAvailable) continue;
    const name = names[index];
    const { source, tool } = candidate;
    if (name === undefined) {
      warnings.push(`The tool "${tool.name}" of "${source.key}" is left out: no free name is left for it.`);
      continue;
    }
    byWireName.set(name, toLoopTool(name, candidate, left.filter(name, candidate.tool.options)));
    if (options.nameClash === 'rename' && clientNames.has(tool.name)) {
      warnings.push(
        `The tool "${tool.name}" of "${source.key}" is offered as "${name}": the call brings a tool of that name itself.`,
      );
    }
  }
  const tools = [...byWireName.values()];
  const leftOut = left.out();
  const toolset = { tools, byWireName, warnings, instructions: instructionsOf(tools, listings) };
  return leftOut.length === 0 ? toolset : { ...toolset, leftOut };
}

/** Of the sources with a tool in the set; the others have nothing to instruct about. */
function instructionsOf(tools: readonly LoopTool[], listings: readonly SourceListing[]): readonly ServerInstructions[] {
  const used = new Set(tools.map((tool) => tool.source));
  return listings.flatMap(({ source, instructions: text }) =>
    used.has(source) && text !== undefined && text.trim() !== '' ? [{ source: source.key, text }] : [],
  );
}

interface SchemaWork {
  readonly cache: SchemaCache;
  readonly warnings: string[];
  readonly options: ToolsetOptions;
}

function withSchemas(listing: SourceListing, { cache, warnings, options }: SchemaWork): readonly Candidate[] {
  const { source, isAvailable } = listing;
  const say = (tool: SourceTool, what: string): void => {
    if (isAvailable) warnings.push(`The tool "${tool.name}" of "${source.key}" is ${what}.`);
  };
  return listing.tools.flatMap((tool) => {
    const offered = cached(tool, cache, options.strictSchemas === true);
    if (!offered.ok) {
      say(tool, `left out: ${offered.reason}`);
      return [];
    }
    const { schema, strict } = offered;
    if (strict?.ok === false) say(tool, `offered without strict: ${strict.reason}`);
    return [{ source, tool, schema, strict: strict?.ok === true ? strict.schema : undefined, isAvailable }];
  });
}

function cached(tool: SourceTool, cache: SchemaCache, wantsStrict: boolean): OfferedSchema {
  const known = cache.get(tool);
  if (known !== undefined) return known;
  const normalized = normalizeInputSchema(tool.inputSchema, tool.maxSchemaChars);
  const isStrict = normalized.ok && (wantsStrict || tool.strict === true);
  const offered = isStrict ? { ...normalized, strict: toStrictSchema(normalized.schema) } : normalized;
  cache.set(tool, offered);
  return offered;
}

function toLoopTool(name: string, { source, tool, schema, strict }: Candidate, options: FunctionOptions): LoopTool {
  return {
    source,
    tool,
    ...(strict === undefined ? {} : { toToolArguments: (args) => stripAddedNulls(args, schema) }),
    declaration: {
      name,
      ...defined({ description: tool.description }),
      inputSchema: strict ?? schema,
      strict: strict !== undefined,
      ...options,
    },
  };
}
