import type { JsonObject } from '../core/json.js';
import { defined } from '../util/defined.js';
import type { SourceTool, ToolSource } from './tool-source.js';

/** Facts about a tool for a user interface: stubs and parts of calls have them. JSON. */
export type ToolFacts = {
  /** The key of the MCP server, or `local`. */
  server: string;
  /** The name at its source. */
  name: string;
  title?: string;
  /** MCP's annotations, if the tool has some. The tool may lie. */
  annotations?: {
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
  /** The page of an MCP App: `resourceUri` names a resource of the server, which `provider.mcpClient(server)` reads. */
  ui?: JsonObject;
};

export function factsOf({ key }: Pick<ToolSource, 'key'>, tool: SourceTool): ToolFacts {
  const annotations = defined({
    readOnlyHint: tool.readOnly ? true : undefined,
    destructiveHint: tool.destructive,
    idempotentHint: tool.idempotent,
    openWorldHint: tool.openWorld,
  });
  const hints = Object.keys(annotations).length === 0 ? {} : { annotations };
  return { server: key, name: tool.name, ...defined({ title: tool.title, ui: tool.ui }), ...hints };
}
