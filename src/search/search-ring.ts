import type { ToolDeclaration } from '../core/tool.js';
import type { LoopTool, OpeningCall, Toolset } from '../tools/loop-tool.js';
import { alsoOpening } from '../tools/open-tools.js';
import { freeName } from '../tools/names/free-name.js';
import { ownTool } from '../tools/own-tool.js';
import { listFound, namesIn } from './found-tools.js';
import { ToolIndex } from './tool-index.js';

const SEARCH_NAME = 'search_tools';
const DEFAULT_LIMIT = 5;
const MOST = 20;
/** How many servers the search names. */
const MAX_SERVERS = 30;

const INPUT_SCHEMA = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      description: 'The name of a tool, or a few words about what it should do and to what.',
    },
    limit: { type: 'integer', description: `How many tools at most, up to ${MOST}. Default: ${DEFAULT_LIMIT}.` },
  },
  required: ['query'],
};

interface CallFacts {
  /** Names of the caller's tools. */
  readonly clientNames: readonly string[];
  /** The call began in another process: it has a search if it had one there. */
  readonly goesOn: boolean;
}

/** The search for tools of a provider. */
export class ToolSearch {
  /** Of the latest tools, which are mostly those of the next call. */
  #latest: ToolIndex | undefined;

  /** Returns the toolset with a search in place of the tools that it finds. They are opened once found or called. */
  async keepBack(toolset: Toolset, { clientNames, goesOn }: CallFacts): Promise<Toolset> {
    const own = [...toolset.byWireName.values()].filter(isSearch);
    if (goesOn && own.length === 0) return withoutMarks(toolset);
    const deferred = toolset.tools.filter(isDeferred).map(toOffered);
    const byWireName = new Map(deferred.map((tool) => [tool.declaration.name, tool]));
    const taken = new Set([...toolset.byWireName.keys(), ...clientNames]);
    const name = own[0]?.declaration.name ?? freeName(SEARCH_NAME, taken);
    const search = await this.#tool(name, deferred);
    const opened = ({ call, output }: OpeningCall): readonly (LoopTool | undefined)[] =>
      call.name === name ? namesIn(output).map((found) => byWireName.get(found)) : [byWireName.get(call.name)];
    return alsoOpening(
      {
        ...toolset,
        tools: [...toolset.tools.filter((tool) => !isDeferred(tool)), search],
        byWireName: new Map([...[...toolset.byWireName].filter(([other]) => !byWireName.has(other)), [name, search]]),
        keptBack: { byWireName, refusal: (called) => refuse(called, name) },
      },
      async (calls) => calls.flatMap(opened).filter((tool) => tool !== undefined),
    );
  }

  #tool(name: string, tools: readonly LoopTool[]): Promise<LoopTool> {
    return ownTool({
      name,
      description: `Finds tools that are not listed here, by what they do. Search before you answer that something cannot be done. You can call what it finds from the next step on.${describeServers(tools)}`,
      inputSchema: INPUT_SCHEMA,
      execute: async ({ query, limit = DEFAULT_LIMIT }) => {
        const text = String(query);
        const most = Math.min(Math.max(Number(limit), 1), MOST);
        return listFound(text, (await this.#indexOf(tools)).find(text, most));
      },
    });
  }

  async #indexOf(tools: readonly LoopTool[]): Promise<ToolIndex> {
    if (this.#latest?.isOf(tools) === true) return this.#latest;
    // Not shared while it is made: Workers take a promise amiss that requests share.
    const index = await ToolIndex.of(tools);
    this.#latest = index;
    return index;
  }
}

function isSearch({ source, tool }: LoopTool): boolean {
  return source.kind === 'own' && tool.name.endsWith(SEARCH_NAME);
}

function refuse(called: string, search: string): string {
  return `The tool "${called}" was not loaded, so this call did not run. It is loaded from now on: call it again, with arguments that fit its schema. Find others with "${search}".`;
}

function withoutMarks(toolset: Toolset): Toolset {
  const tools = toolset.tools.map(toOffered);
  const byWireName = new Map([...toolset.byWireName, ...tools.map((tool) => [tool.declaration.name, tool] as const)]);
  return { ...toolset, tools, byWireName };
}

function isDeferred({ declaration }: LoopTool): boolean {
  return declaration.deferLoading === true;
}

/** A server that knows no tool search refuses the mark, too. */
function toOffered(tool: LoopTool): LoopTool {
  const { deferLoading: _mark, ...declaration } = tool.declaration;
  return { ...tool, declaration: declaration satisfies ToolDeclaration };
}

function describeServers(tools: readonly LoopTool[]): string {
  const keys = new Set(tools.filter(({ source }) => source.kind === 'mcp').map(({ source }) => source.key));
  const named = [...keys].slice(0, MAX_SERVERS).join(', ');
  if (keys.size === 0) return '';
  return ` There are tools of: ${named}${keys.size > MAX_SERVERS ? ', …' : ''}.`;
}
