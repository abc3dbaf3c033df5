import { asObject, stateOfOutput, stringIn, type ToolPart } from '../parts.js';

/** The app of a call, as its server names it. */
export interface NamedApp {
  /** The key of the server: all that the app asks for goes to this one. */
  readonly server: string;
  readonly uri: string;
  /** The name of the tool at its server. */
  readonly tool: string;
}

/** The app of a call that ended well. Its facts are kept with the call, so that it is shown again after a reload. */
export function appOf(part: ToolPart): NamedApp | undefined {
  if (part.state !== 'output-available' || part.preliminary === true) return undefined;
  if (stateOfOutput(part.output) !== 'done') return undefined;
  const facts = factsOf(part);
  const [server, tool] = [stringIn(facts, 'server'), stringIn(facts, 'name')];
  const uri = stringIn(asObject(facts)['ui'], 'resourceUri');
  const isApp = server !== undefined && tool !== undefined && uri?.startsWith('ui://') === true;
  return isApp ? { server, tool, uri } : undefined;
}

/** Of a tool that the AI SDK runs, and of one that the provider runs. */
function factsOf(part: ToolPart): unknown {
  const { toolMetadata, callProviderMetadata } = part;
  return toolMetadata ?? asObject(asObject(callProviderMetadata)['responses-loop'])['tool'];
}

/** What the call gave, in the form of MCP. */
export function appResultOf(part: ToolPart): object {
  const { output } = part;
  const { resultProviderMetadata } = part as ToolPart & { readonly resultProviderMetadata?: unknown };
  const kept = asObject(asObject(asObject(resultProviderMetadata)['responses-loop'])['output'])['content'];
  const content = Array.isArray(kept) ? kept : contentOf(output);
  const isStructured =
    typeof output === 'object' && output !== null && !Array.isArray(output) && !('content' in output);
  return { content, ...(isStructured && { structuredContent: output }) };
}

function contentOf(output: unknown): readonly unknown[] {
  if (Array.isArray(output)) return output;
  const { content } = asObject(output);
  if (Array.isArray(content)) return content;
  return [{ type: 'text', text: typeof output === 'string' ? output : (JSON.stringify(output) ?? '') }];
}
