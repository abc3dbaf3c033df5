import { registryOf } from '../../tools/create-tool-registry.js';
import type { LoopTool, Toolset } from '../../tools/loop-tool.js';
import { describeTool, type ToolReport } from './describe-tool.js';
import { type Connected, type Inspection, type InspectOptions, type OpenServer, openServer } from './inspect-server.js';
import type { ConfiguredServer } from './read-config.js';
import type { SignIn } from './watch-access.js';

export interface ServerReport extends Partial<Connected> {
  readonly key: string;
  readonly state: 'connected' | 'failed' | 'disabled';
  readonly address?: string;
  readonly signIn?: SignIn;
  readonly tools: readonly ToolReport[];
  /** Tools that the model does not see, with the reasons; or why the server could not be reached. */
  readonly warnings: readonly string[];
  /** Tools that `allowTools` or `denyTools` exclude. */
  readonly filteredOut: readonly string[];
}

export interface Report {
  readonly servers: readonly ServerReport[];
  /** Problems that appear only with all servers together. */
  readonly warnings: readonly string[];
  readonly totals: { readonly tools: number; readonly chars: number; readonly estimatedTokens: number };
}

export interface Inspected {
  readonly report: Report;
  readonly tools: readonly LoopTool[];
}

/**
 * Asks all servers at the same time; one failure does not hide the others. `use` gets them while they are connected.
 */
export async function inspectServers<T>(
  servers: readonly ConfiguredServer[],
  options: InspectOptions,
  use: (inspected: Inspected) => Promise<T>,
): Promise<T> {
  const open = new Map<string, OpenServer>();
  for (const { key, config } of servers) if (config !== undefined) open.set(key, openServer(key, config, options));
  try {
    const inspections = await Promise.all([...open.values()].map((server) => server.inspect()));
    const together = await allTogether(inspections, options.signal);
    return await use({ report: reportOf(servers, inspections, together), tools: together.tools });
  } finally {
    await Promise.all([...open.values()].map((server) => server.close()));
  }
}

/** Builds the toolset of a provider with all servers, because names depend on the other tools. */
function allTogether(inspections: readonly Inspection[], signal: AbortSignal): Promise<Toolset> {
  const sources = new Set(inspections.flatMap(({ toolset }) => toolset.tools.map(({ source }) => source)));
  return registryOf([...sources]).toolset({ clientNames: [], nameClash: 'rename', signal });
}

function reportOf(servers: readonly ConfiguredServer[], inspections: readonly Inspection[], together: Toolset): Report {
  const byKey = new Map(inspections.map((inspection) => [inspection.key, inspection]));
  const reports = servers.map((server): ServerReport => {
    const inspection = byKey.get(server.key);
    if (inspection === undefined) return unopened(server);
    const { connected, key, address, signIn, filteredOut, warnings } = inspection;
    const own = new Set(inspection.toolset.tools.map(({ source }) => source));
    const tools = together.tools.filter(({ source }) => own.has(source)).map(describeTool);
    const state = connected === undefined ? 'failed' : 'connected';
    return { key, state, ...connected, address, signIn, tools, warnings, filteredOut };
  });
  const said = new Set(inspections.flatMap(({ warnings }) => warnings));
  const tools = reports.flatMap((report) => report.tools);
  return {
    servers: reports,
    warnings: together.warnings.filter((warning) => !said.has(warning)),
    totals: {
      tools: tools.length,
      chars: tools.reduce((sum, { chars }) => sum + chars, 0),
      estimatedTokens: tools.reduce((sum, { estimatedTokens }) => sum + estimatedTokens, 0),
    },
  };
}

function unopened({ key, problem }: ConfiguredServer): ServerReport {
  const nothing = { tools: [], filteredOut: [] };
  if (problem === undefined) return { key, state: 'disabled', ...nothing, warnings: [] };
  return { key, state: 'failed', ...nothing, warnings: [problem] };
}
