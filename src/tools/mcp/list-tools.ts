import type { JsonObject, JsonValue } from '../../core/json.js';
import { asId, asNumber, asRecord, asString } from '../../util/guards.js';
import { inFixedOrder } from '../schema/fixed-order.js';
import type { SourceTool } from '../tool-source.js';
import { audienceOf, uiOf } from './apps/extension.js';
import type { McpConnection } from './connect/connection.js';
import type { McpCommonConfig, McpLimits } from './server-config.js';
import { createToolFilter, describeTool, type ToolFilter } from './tool-filter.js';
import { defined } from '../../util/defined.js';
import { delay } from '../../util/timers.js';
import { withoutHidden } from '../../util/control-characters.js';
import { cut, excerpt } from '../../util/excerpt.js';

const MAX_PAGES = 100;
/** One day, the longest time for which a list is kept. */
const MAX_TTL_MS = 86_400_000;
/** The protocol recommends 128. */
const MAX_NAME_CHARS = 1_000;

export interface McpListing {
  /** Sorted by name, so that the order of the server does not matter. */
  readonly tools: readonly SourceTool[];
  readonly warnings: readonly string[];
  /** How long the list is valid according to the server, in milliseconds. */
  readonly ttlMs?: number | undefined;
}

export interface ListOptions {
  /** The server's key in the settings. */
  readonly key: string;
  /** Selects the tools and limits their calls. */
  readonly config: McpCommonConfig;
  /** The limits for what a server sends. */
  readonly limits: McpLimits;
  readonly connectTimeoutMs: number;
}

/** The state of one listing. */
interface Listing extends ListOptions {
  readonly connection: McpConnection;
  readonly signal: AbortSignal;
  readonly remarks: Remarks;
  /** How long the pages are valid; the shortest time counts. */
  ttlMs: number | undefined;
}

/** Reads all pages of `tools/list`. A tool that is broken or too large is dropped with a warning. */
export async function listMcpTools(
  connection: McpConnection,
  options: ListOptions,
  signal: AbortSignal,
): Promise<McpListing> {
  if (!connection.hasTools) return { tools: [], warnings: [] };
  const remarks = new Remarks();
  const listing: Listing = { ...options, connection, signal, remarks, ttlMs: undefined };
  const tools = await collect(listing);
  const sorted = [...tools].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const warnings = remarks.sentences(options.limits).map((sentence) => `MCP server "${options.key}": ${sentence}`);
  return { tools: sorted, warnings, ttlMs: listing.ttlMs };
}

async function collect(listing: Listing): Promise<Iterable<SourceTool>> {
  const { remarks, limits } = listing;
  const filter = createToolFilter(listing.config);
  const tools = new Map<string, SourceTool>();
  /** Includes tools that the filter drops. */
  const names: string[] = [];
  for await (const raw of pages(listing)) {
    const name = asId(asRecord(raw)?.['name']);
    if (name !== undefined && name.length <= MAX_NAME_CHARS) names.push(name);
    // A filtered tool needs no warning.
    if (name !== undefined && (!filter.admits(name) || tools.has(name))) continue;
    if (tools.size >= limits.toolsPerServer) {
      remarks.say(
        `it has more than ${limits.toolsPerServer} tools; the first ones are used (limit: limits.toolsPerServer).`,
      );
      // Pages that were not read may contain the names that seem to be missing.
      return tools.values();
    }
    const tool = readAllowed(raw, listing, filter);
    if (tool !== undefined) tools.set(tool.name, { ...tool, ...filter.declares(tool.name) });
  }
  for (const [list, entries] of Object.entries(filter.unmatched(names)))
    if (entries.length > 0) remarks.say(`\`${list}\` names what it does not have: ${entries.map(quoted).join(', ')}.`);
  return tools.values();
}

/** Returns the tool if it is valid, allowed, and callable over this connection. */
function readAllowed(raw: unknown, listing: Listing, filter: ToolFilter): SourceTool | undefined {
  const leaveOut = (name: string, why: string): undefined =>
    listing.remarks.say(`the tool "${excerpt(name, 100)}" is left out: ${why}.`);
  const fault = listing.connection.admit?.(raw);
  if (fault !== undefined) return leaveOut(asId(asRecord(raw)?.['name']) ?? '', fault);
  const tool = readTool(raw, listing);
  const answer = tool !== undefined && filter.allows(describeTool(tool));
  if (typeof answer === 'string') return leaveOut(tool?.name ?? '', answer);
  return answer ? tool : undefined;
}

async function* pages(listing: Listing): AsyncGenerator {
  const { connection, signal, remarks, connectTimeoutMs: timeout } = listing;
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await connection.request('tools/list', defined({ cursor }), { signal, timeout });
    const ttlMs = asNumber(result['ttlMs']) ?? 0;
    // Servers without a validity send zero.
    if (ttlMs > 0) listing.ttlMs = Math.min(ttlMs, listing.ttlMs ?? MAX_TTL_MS);
    if (!Array.isArray(result['tools']))
      return remarks.say('its tool list is not a list; the tools received so far are used.');
    yield* result['tools'] as unknown[];
    cursor = asId(result['nextCursor']);
    if (cursor === undefined) return;
    if (seen.has(cursor)) return remarks.say('its tool list repeats itself; what came so far is used.');
    seen.add(cursor);
    // A client of the app may answer without a turn of the event loop, so a time limit would never fire.
    await delay(0, signal);
  }
  remarks.say(`its tool list has more than ${MAX_PAGES} pages; what came so far is used.`);
}

/** Returns the tool, or `undefined` and a warning if it cannot be offered. */
function readTool(raw: unknown, { config, limits, remarks }: Listing): SourceTool | undefined {
  const tool = asRecord(raw) ?? {};
  const name = asString(tool['name']);
  if (name === undefined) return remarks.add('nameless');
  if (name.length > MAX_NAME_CHARS) return remarks.add('longName', name);
  if (asRecord(tool['execution'])?.['taskSupport'] === 'required') return remarks.add('task', name);
  const audience = audienceOf(tool['_meta']);
  if (audience === 'nobody') return undefined;
  let hasHidden = false;
  /** Removes what users cannot see, because it would be a hidden message to the model. */
  const prose: ReadProse = (given) => {
    const text = asId(given);
    const cleaned = text && withoutHidden(text);
    hasHidden ||= cleaned !== text;
    return cleaned && cut(cleaned, limits.descriptionChars);
  };
  const schema = readSchema(tool['inputSchema'], limits.schemaChars, prose);
  if ('fault' in schema) return remarks.add(schema.fault, name);
  const annotations = asRecord(tool['annotations']) ?? {};
  const read: SourceTool = {
    name,
    inputSchema: schema.read,
    maxSchemaChars: limits.schemaChars,
    readOnly: annotations['readOnlyHint'] === true,
    ...defined({
      title: prose(tool['title']) ?? prose(annotations['title']),
      description: prose(tool['description']),
      destructive: asBoolean(annotations['destructiveHint']),
      idempotent: asBoolean(annotations['idempotentHint']),
      openWorld: asBoolean(annotations['openWorldHint']),
      timeoutMs: config.timeoutMs,
      totalTimeoutMs: config.totalTimeoutMs,
      maxOutputChars: config.maxOutputChars,
      ui: uiOf(tool['_meta']),
      audience,
    }),
  };
  if (hasHidden) remarks.add('hidden', name);
  return read;
}

type ReadProse = (given: unknown) => string | undefined;
type ReadSchema = { readonly read: JsonObject } | { readonly fault: 'longSchema' | 'deepSchema' };

/** Returns the schema, or its size fault. The toolset repairs it, or drops it with a reason. */
function readSchema(given: unknown, maxChars: number, prose: ReadProse): ReadSchema {
  try {
    const text = JSON.stringify(given ?? {});
    if (text.length > maxChars) return { fault: 'longSchema' };
    // These members are for readers and no part of the arguments.
    const revive = (member: string, value: unknown): unknown =>
      member === 'description' || member === 'title' ? (prose(value) ?? value) : value;
    return { read: inFixedOrder(JSON.parse(text, revive) as JsonValue) as JsonObject };
  } catch {
    // It was JSON before and after, so only its depth can fail.
    return { fault: 'deepSchema' };
  }
}

function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

const SHOWN_NAMES = 10;
const SHOWN_NAME_CHARS = 100;

/** Warnings for tools with the same problem; `they` is their names with the verb. */
const SENTENCES = {
  nameless: (_they: string, count: number) =>
    count === 1 ? 'a tool without a name is left out.' : `${count} tools without a name are left out.`,
  longName: (they: string) => `${they} left out: a name may have 1000 characters.`,
  task: (they: string, count: number) =>
    `${they} left out: ${count === 1 ? 'it' : 'they'} can only run as a task, which is not supported; "denyTools" silences this.`,
  longSchema: (they: string, _count: number, { schemaChars }: McpLimits) =>
    `${they} left out: a schema may have ${schemaChars} characters (limit: limits.schemaChars).`,
  deepSchema: (they: string) => `${they} left out: a schema is nested too deeply.`,
  hidden: (they: string) => `${they} described with invisible characters; they were taken out.`,
} as const;

type Topic = keyof typeof SENTENCES;

/** Collects what a listing complains about, one sentence per problem for all its tools. */
class Remarks {
  readonly #others: string[] = [];
  readonly #tools = new Map<Topic, { count: number; readonly names: string[] }>();

  sentences(limits: McpLimits): readonly string[] {
    const topics = [...this.#tools].map(([topic, { count, names }]) =>
      SENTENCES[topic](listed(names, count), count, limits),
    );
    return [...topics, ...this.#others];
  }

  say(sentence: string): undefined {
    this.#others.push(sentence);
  }

  /** Adds a tool to a complaint. */
  add(topic: Topic, name?: string): undefined {
    const noted = this.#tools.get(topic) ?? { count: 0, names: [] };
    noted.count += 1;
    if (name !== undefined && noted.names.length < SHOWN_NAMES) noted.names.push(name);
    this.#tools.set(topic, noted);
  }
}

function listed(names: readonly string[], count: number): string {
  if (count === 1) return `the tool ${names.map(quoted).join('')} is`;
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return `the tools ${names.map(quoted).join(', ')}${more} are`;
}

function quoted(name: string): string {
  return `"${excerpt(name, SHOWN_NAME_CHARS)}"`;
}
