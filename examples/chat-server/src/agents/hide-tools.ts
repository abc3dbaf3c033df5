import type { ResponsesProviderSettings } from 'responses-loop/v3';
import { currentAgentFrame, getSessionId, isInContext } from '../context/request-context.js';

type TransformRequest = NonNullable<ResponsesProviderSettings['transformRequest']>;

/** Names of tools of MCP servers that are off in a chat, as requests have them. */
export type ReadNamesOff = (sessionId: string) => Promise<ReadonlySet<string>>;

/**
 * For the provider, whose MCP tools are those of every call: a sub-agent is offered only what it was given, and nobody what
 * is off in the chat. What a model calls all the same is denied by `approve`.
 */
export function hideTools(namesOff: ReadNamesOff): TransformRequest {
  return async ({ body }) => {
    if (!isInContext() || !Array.isArray(body['tools'])) return undefined;
    const given = currentAgentFrame()?.tools;
    const off = await namesOff(getSessionId());
    if (given === undefined && off.size === 0) return undefined;
    const tools = body['tools'].filter((tool) => {
      const name: unknown = typeof tool === 'object' && tool !== null ? Reflect.get(tool, 'name') : undefined;
      if (typeof name !== 'string') return given === undefined;
      return !off.has(name) && (given === undefined || given.includes(name));
    });
    const { tools: _all, tool_choice: choice, ...rest } = body;
    return {
      body: tools.length === 0 ? rest : { ...rest, tools, ...(choice === undefined ? {} : { tool_choice: choice }) },
    };
  };
}
