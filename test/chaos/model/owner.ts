import type { Lane, Scenario, ToolName } from '../scenario.js';

export type Owner = 'loop' | 'client' | 'unknown';

/** Whose call it is, by what the scenario offers. */
export function ownerOf(name: ToolName, lane: Lane, scenario: Scenario): Owner {
  const offered = offeredNames(lane, scenario);
  if (offered.includes(name)) return 'loop';
  if (name === 'ask' && lane.hasClientTool) return 'client';
  return offered.length > 0 ? 'unknown' : 'client';
}

/** `ai` passes a tool choice on only together with tools. */
export function toolChoiceOf({ via, toolChoice, hasClientTool, declaresLoopTools }: Lane): Lane['toolChoice'] {
  const throughSdk = via === 'streamText' || via === 'generateText';
  return throughSdk && !hasClientTool && !declaresLoopTools ? 'auto' : toolChoice;
}

export function offeredNames(lane: Lane, { mcp }: Scenario): readonly ToolName[] {
  if (toolChoiceOf(lane) === 'none') return [];
  const overMcp: readonly ToolName[] =
    mcp === undefined || mcp.deadAtStart
      ? []
      : mcp.kind === 'http'
        ? ['peek', 'poke']
        : ['echo', 'trigger-long-running-operation'];
  return ['look', 'act', ...overMcp];
}

export function isReadOnly(name: ToolName): boolean {
  return name === 'look' || name === 'peek';
}

export function isMcp(name: ToolName): boolean {
  return name === 'peek' || name === 'poke' || name === 'echo' || name === 'trigger-long-running-operation';
}

/** Somewhere in it an MCP server is lost under way: then calls of that server may fail in ways nobody planned. */
export function losesMcp(scenario: Scenario): boolean {
  return scenario.lanes.some((lane) =>
    lane.exchanges.some(
      (exchange) =>
        exchange.kind === 'answer' &&
        exchange.items.some((item) => item.type === 'call' && (item.does === 'kill' || item.does === 'die')),
    ),
  );
}
