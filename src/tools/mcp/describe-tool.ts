import { defined } from '../../util/defined.js';
import type { SourceTool } from '../tool-source.js';
import type { McpToolDescription } from './server-config.js';

/** What the server says of a tool, as functions of the settings see it. */
export function describeTool(tool: SourceTool): McpToolDescription {
  const { name, title, description, inputSchema, readOnly, destructive, idempotent, openWorld } = tool;
  const annotations = defined({
    readOnlyHint: readOnly ? true : undefined,
    destructiveHint: destructive,
    idempotentHint: idempotent,
    openWorldHint: openWorld,
  });
  return { name, inputSchema, readOnly, annotations, ...defined({ title, description }) };
}
