import { withTimeout } from '../../util/timers.js';
import { errorText } from '../../util/error-text.js';
import type { SourceTool } from '../tool-source.js';
import { describeTool } from './tool-filter.js';
import type { McpListing } from './list-tools.js';
import { fingerprint } from './pinning.js';
import type { McpToolDescription } from './server-config.js';

/** The changes in a new list of a server's tools. */
export interface McpToolsChange {
  /** Tools that the server did not have when they were reviewed. */
  readonly added: readonly McpToolDescription[];
  /** Tools that the server has no longer. */
  readonly removed: readonly McpToolDescription[];
  /** Tools whose description, schema or annotations differ. */
  readonly changed: readonly {
    readonly name: string;
    readonly before: McpToolDescription;
    readonly after: McpToolDescription;
  }[];
}

/**
 * Called if a server lists other tools than before, also after a reconnect. `false` refuses: added and changed tools
 * are not offered until the server lists something else. An error, and no answer within `timeouts.connectMs`, refuse
 * too.
 *
 * @example (server, { added, changed }) => added.length + changed.length === 0 || confirm(`Trust what ${server} offers
 * now?`)
 */
export type OnToolsChanged = (
  server: string,
  change: McpToolsChange,
) => boolean | undefined | void | PromiseLike<boolean | undefined | void>;

interface ReviewOptions {
  readonly server: string;
  readonly onToolsChanged: OnToolsChanged;
  readonly timeoutMs: number;
}

/** Lets the app decide about changes. Its consent lasts over connections. */
export function createReview(options: ReviewOptions): (listing: McpListing) => Promise<McpListing> {
  const { server } = options;
  /** The approved tools by name; the first list counts as approved. */
  let agreed: ReadonlyMap<string, SourceTool> | undefined;
  /** The last refused change, so that the app is not asked twice. */
  let refused: string | undefined;
  return async (listing) => {
    const { tools } = listing;
    const change = agreed && differences(agreed, tools);
    agreed ??= byName(tools);
    if (change === undefined) return listing;
    const print = JSON.stringify(tools.map(fingerprint));
    const reason = print === refused ? 'was refused' : await ask(options, change);
    if (reason === undefined) {
      agreed = byName(tools);
      refused = undefined;
      return listing;
    }
    refused = print;
    const fresh = [...change.added, ...change.changed].map(({ name }) => name);
    if (fresh.length === 0) return listing;
    const names = fresh.slice(0, 10).map((name) => JSON.stringify(name));
    const warning = `MCP server "${server}": the change of its tools ${reason}; left out: ${names.join(', ')}.`;
    return {
      ...listing,
      tools: tools.filter(({ name }) => !fresh.includes(name)),
      warnings: [...listing.warnings, warning],
    };
  };
}

/** Returns why the change is refused; `undefined` if it is approved. */
async function ask(
  { server, onToolsChanged, timeoutMs }: ReviewOptions,
  change: McpToolsChange,
): Promise<string | undefined> {
  const call = async (): Promise<unknown> => onToolsChanged(server, change);
  try {
    const answer = await withTimeout(call(), timeoutMs, () => new Error('no answer in time'));
    if (answer === undefined || answer === true) return undefined;
    return answer === false ? 'was refused' : 'was not accepted (`onToolsChanged` must return true or false)';
  } catch (error) {
    return `was not agreed to (\`onToolsChanged\` failed: ${errorText(error)})`;
  }
}

function byName(tools: readonly SourceTool[]): ReadonlyMap<string, SourceTool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function differences(
  before: ReadonlyMap<string, SourceTool>,
  tools: readonly SourceTool[],
): McpToolsChange | undefined {
  const after = byName(tools);
  const added = tools.filter(({ name }) => !before.has(name)).map(describeTool);
  const removed = [...before.values()].filter(({ name }) => !after.has(name)).map(describeTool);
  const changed = tools.flatMap((tool) => {
    const known = before.get(tool.name);
    if (known === undefined || fingerprint(known) === fingerprint(tool)) return [];
    return [{ name: tool.name, before: describeTool(known), after: describeTool(tool) }];
  });
  return added.length + removed.length + changed.length === 0 ? undefined : { added, removed, changed };
}
