import type { ResponsesProviderSettings } from 'responses-loop/v3';
import { currentAgentFrame, isInContext } from '../context/request-context.js';

type TransformRequest = NonNullable<ResponsesProviderSettings['transformRequest']>;

/**
 * For the provider, whose MCP tools are those of every call: a sub-agent is offered only what it was given. What a model
 * calls all the same is denied by `approve`.
 */
export const hideToolsOfOthers: TransformRequest = ({ body }) => {
  const frame = isInContext() ? currentAgentFrame() : undefined;
  if (frame === undefined || !Array.isArray(body['tools'])) return undefined;
  const tools = body['tools'].filter((tool) => {
    const name: unknown = typeof tool === 'object' && tool !== null ? Reflect.get(tool, 'name') : undefined;
    return typeof name === 'string' && frame.tools.includes(name);
  });
  const { tools: _all, tool_choice: choice, ...rest } = body;
  return {
    body: tools.length === 0 ? rest : { ...rest, tools, ...(choice === undefined ? {} : { tool_choice: choice }) },
  };
};
