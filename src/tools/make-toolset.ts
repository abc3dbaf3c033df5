import type { JsonObject } from '../core/json.js';
import type { FunctionOptions } from '../core/tool.js';
import type { Unsupported } from '../core/warning.js';
import type { LoopTool, ToolsetOptions, ServerInstructions, Toolset } from './loop-tool.js';
import { type NameOwner, hashedName, legalName, qualifiedName } from './names/legal-name.js';
import { normalizeInputSchema, type NormalizedSchema } from './schema/normalize-input-schema.js';
import type { SourceTool, ToolSource } from './tool-source.js';
import { defined } from '../util/defined.js';

/** The present tools of a source. */
export interface SourceListing {
  readonly source: ToolSource;
  readonly tools: readonly SourceTool[];
  /** `false`: not reachable; its last known tools keep their claim on names, so that other names stay stable. */
  readonly isAvailable: boolean;
  /** Warnings since the last listing. */
  readonly warnings: readonly string[];
  /** The server's instructions for models that use its tools. */
  readonly instructions: string | undefined;
}

/** The offered schemas by tool, so that an unchanged list is not processed again. */
export type SchemaCache = WeakMap<SourceTool, NormalizedSchema>;

interface Candidate extends Pick<SourceListing, 'source' | 'isAvailable'> {
  readonly tool: SourceTool;
  readonly schema: JsonObject;
}

/** Names the tools, drops those that cannot be offered, keeps the order of the sources. */
export function makeToolset(listings: readonly SourceListing[], cache: SchemaCache, options: ToolsetOptions): Toolset {
  const warnings: string[] = [];
  const warn = ({ source, tool }: Pick<Candidate, 'source' | 'tool'>, what: string): void =>
    void warnings.push(`The tool "${tool.name}" of "${source.key}" is ${what}.`);
  const left = new LeftOutOptions(options.knownOptions);
  const candidates = listings.flatMap(({ source, tools, isAvailable }) =>
    tools.flatMap((tool): readonly Candidate[] => {
      const offered = cached(tool, cache);
      if (offered.ok) return [{ source, tool, schema: offered.schema, isAvailable }];
      if (isAvailable) warn({ source, tool }, `left out: ${offered.reason}`);
      return [];
    }),
  );
  const names = nameTools(candidates.map(ownerOf), options);
  const clientNames = new Set(options.clientNames);
  const byWireName = new Map<string, LoopTool>();
  for (const [index, candidate] of candidates.entries()) {
    if (!candidate.isAvailable) continue;
    const name = names[index];
    if (name === undefined) {
      warn(candidate, 'left out: no free name is left for it');
      continue;
    }
    byWireName.set(name, toLoopTool(name, candidate, left.filter(name, candidate.tool.options)));
    if (options.nameClash === 'rename' && clientNames.has(candidate.tool.name))
      warn(candidate, `offered as "${name}": the call brings a tool of that name itself`);
  }
  const tools = [...byWireName.values()];
  const leftOut = left.out();
  const toolset = {
    tools,
    byWireName,
    warnings,
    instructions: instructionsOf(tools, listings),
    knownNames: listings.every(isKnown) ? names.filter((name) => name !== undefined) : undefined,
  };
  return leftOut.length === 0 ? toolset : { ...toolset, leftOut };
}

/** An unavailable source has tools here if it was listed before. */
function isKnown({ isAvailable, tools }: SourceListing): boolean {
  return isAvailable || tools.length > 0;
}

function ownerOf({ source, tool }: Candidate): NameOwner {
  return { kind: source.kind ?? 'local', source: source.key, tool: tool.name };
}

/** Returns the instructions of sources with a tool in the set. */
function instructionsOf(tools: readonly LoopTool[], listings: readonly SourceListing[]): readonly ServerInstructions[] {
  const used = new Set(tools.map((tool) => tool.source));
  return listings.flatMap(({ source, instructions: text }) =>
    used.has(source) && text !== undefined && text.trim() !== '' ? [{ source: source.key, text }] : [],
  );
}

function cached(tool: SourceTool, cache: SchemaCache): NormalizedSchema {
  const known = cache.get(tool);
  if (known !== undefined) return known;
  const normalized = normalizeInputSchema(tool.inputSchema, tool.maxSchemaChars);
  cache.set(tool, normalized);
  return normalized;
}

function toLoopTool(name: string, { source, tool, schema }: Candidate, options: FunctionOptions): LoopTool {
  return {
    source,
    tool,
    declaration: {
      name,
      ...defined({ description: tool.description }),
      inputSchema: schema,
      strict: tool.strict === true,
      ...options,
    },
  };
}

/** How many tools a warning names. */
const MAX_NAMED = 5;

/** Removes tool options that the server does not support, with one warning for each option. */
class LeftOutOptions {
  readonly #known: ToolsetOptions['knownOptions'];
  readonly #leftOut = new Map<string, string[]>();

  /** `undefined`: all are supported. */
  constructor(known: ToolsetOptions['knownOptions']) {
    this.#known = known;
  }

  filter(tool: string, options: FunctionOptions = {}): FunctionOptions {
    const known: ReadonlySet<string> | undefined = this.#known;
    if (known === undefined) return options;
    for (const [name, value] of Object.entries(options)) {
      // An option that is off needs no support.
      if (known.has(name) || value === false) continue;
      const tools = this.#leftOut.get(name) ?? [];
      tools.push(tool);
      this.#leftOut.set(name, tools);
    }
    return Object.fromEntries(Object.entries(options).filter(([name]) => known.has(name)));
  }

  out(): readonly Unsupported[] {
    return [...this.#leftOut].map(([name, tools]) => ({
      feature: name,
      details: `"${name}" of ${listed(tools)} was not sent: the back end or the model does not know it.`,
    }));
  }
}

function listed(tools: readonly string[]): string {
  const named = tools
    .slice(0, MAX_NAMED)
    .map((tool) => `"${tool}"`)
    .join(', ');
  return tools.length > MAX_NAMED ? `${tools.length} tools (${named}, …)` : named;
}

export interface NamingOptions {
  /** Names of the caller's own tools. */
  readonly clientNames: readonly string[];
  /** `rename`: the caller keeps the name. `loop`: we do. */
  readonly nameClash: 'rename' | 'loop';
}

/** The tools that claim one name. */
type Claimants = readonly { readonly owner: NameOwner; readonly index: number }[];
type Winner = (claimants: Claimants) => Claimants[number] | undefined;

const onlyOne: Winner = ([first, ...others]) => (others.length === 0 ? first : undefined);

/** MCP servers come first, as in the app from which this rule comes. */
const onlyMcp: Winner = (claimants) =>
  onlyOne(claimants) ?? onlyOne(claimants.filter(({ owner }) => owner.kind === 'mcp'));

/**
 * Returns a wire name for every tool, in the given order: legal, unique, and independent of that order. A tool keeps
 * its bare name unless another claims it too. `undefined`: no free name is left (two equal tools of one source).
 */
export function nameTools(
  owners: readonly NameOwner[],
  { clientNames, nameClash }: NamingOptions,
): readonly (string | undefined)[] {
  const taken = new Set(nameClash === 'rename' ? clientNames : []);
  const names: (string | undefined)[] = owners.map(() => undefined);
  const give = (nameOf: (owner: NameOwner) => string, winnerOf: Winner): void => {
    const claims = new Map<string, Claimants[number][]>();
    for (const [index, owner] of owners.entries()) {
      if (names[index] !== undefined) continue;
      const name = nameOf(owner);
      const claimants = claims.get(name) ?? [];
      claimants.push({ owner, index });
      claims.set(name, claimants);
    }
    for (const [name, claimants] of claims) {
      const winner = taken.has(name) ? undefined : winnerOf(claimants);
      if (winner === undefined) continue;
      names[winner.index] = name;
      taken.add(name);
    }
  };
  give(legalName, nameClash === 'loop' ? onlyMcp : onlyOne);
  give(qualifiedName, onlyOne);
  give(hashedName, ([first]) => first);
  return names;
}
