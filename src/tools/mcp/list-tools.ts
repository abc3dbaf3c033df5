import type { JsonObject } from '../../core/json.js';
import { asArray, asId, asRecord, asString } from '../../util/guards.js';
import type { SourceTool } from '../tool-source.js';
import type { McpConnection } from './connection.js';
import type { McpCommonConfig } from './server-config.js';
import { createToolFilter } from './tool-filter.js';
import { defined } from '../../util/defined.js';

const MAX_PAGES = 100;

export interface McpTool extends SourceTool {
  readonly outputSchema?: JsonObject;
}

export interface McpListing {
  /** Sorted by name, whatever order the server has today. */
  readonly tools: readonly McpTool[];
  readonly warnings: readonly string[];
}

export interface ListOptions {
  readonly server: string;
  /** Which tools, and the limits of their calls. */
  readonly config: McpCommonConfig;
  readonly signal: AbortSignal | undefined;
  readonly requestTimeoutMs: number;
}

/** All pages of `tools/list`. A tool that makes no sense is left out with a sentence, the rest is kept. */
export async function listMcpTools(connection: McpConnection, options: ListOptions): Promise<McpListing> {
  if (!connection.hasTools) return { tools: [], warnings: [] };
  const warnings: string[] = [];
  const tools = new Map<string, McpTool>();
  const filter = createToolFilter(options.config);
  const names: string[] = [];
  const say = (sentence: string): number => warnings.push(`MCP server "${options.server}": ${sentence}`);
  for await (const raw of pages(connection, options, say)) {
    const name = asId(asRecord(raw)?.['name']);
    if (name !== undefined) names.push(name);
    // What nobody wants needs no complaint either.
    if (name !== undefined && !filter.admits(name)) continue;
    const tool = readTool(raw, options.config);
    if (typeof tool === 'string') say(tool);
    else if (!tools.has(tool.name)) tools.set(tool.name, { ...tool, ...filter.declares(tool.name) });
  }
  for (const [list, entries] of Object.entries(filter.unmatched(names))) {
    const shown = entries.map((entry) => `"${entry}"`).join(', ');
    if (entries.length > 0) say(`\`${list}\` names what it does not have: ${shown}.`);
  }
  const sorted = [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { tools: sorted, warnings };
}

async function* pages(
  connection: McpConnection,
  options: ListOptions,
  say: (sentence: string) => void,
): AsyncGenerator {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await connection.request('tools/list', params, {
      ...defined({ signal: options.signal }),
      timeout: options.requestTimeoutMs,
    });
    yield* asArray(result['tools']);
    cursor = asId(result['nextCursor']);
    if (cursor === undefined) return;
    if (seen.has(cursor)) {
      say('its tool list repeats itself; what came so far is used.');
      return;
    }
    seen.add(cursor);
  }
  say(`its tool list has more than ${MAX_PAGES} pages; what came so far is used.`);
}

/** The tool, or why it cannot be offered. */
function readTool(raw: unknown, { timeoutMs, totalTimeoutMs }: McpCommonConfig): McpTool | string {
  const tool = asRecord(raw) ?? {};
  const name = asString(tool['name']);
  if (name === undefined) return 'a tool without a name is left out.';
  if (asRecord(tool['execution'])?.['taskSupport'] === 'required') {
    return `the tool "${name}" is left out: it can only run as a task, which is not supported; "denyTools" silences this.`;
  }
  const annotations = asRecord(tool['annotations']) ?? {};
  return {
    name,
    // Whatever was published; made acceptable, or dropped with a reason, when the offer is made.
    inputSchema: (tool['inputSchema'] ?? {}) as JsonObject,
    readOnly: annotations['readOnlyHint'] === true,
    ...defined({
      title: asId(tool['title']) ?? asId(annotations['title']),
      description: asId(tool['description']),
      destructive: asBoolean(annotations['destructiveHint']),
      idempotent: asBoolean(annotations['idempotentHint']),
      openWorld: asBoolean(annotations['openWorldHint']),
      timeoutMs,
      totalTimeoutMs,
      // Came out of JSON.
      outputSchema: asRecord(tool['outputSchema']) as JsonObject | undefined,
    }),
  };
}

function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
