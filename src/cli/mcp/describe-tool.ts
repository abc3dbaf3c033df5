import { toolCallInfo } from '../../tools/call/approval.js';
import type { LoopTool } from '../../tools/loop-tool.js';
import { defined } from '../../util/defined.js';
import { approveByAnnotations } from '../../v4.js';
import { schemaChanges } from './schema-changes.js';
import { estimatedTokens } from '../../util/estimated-tokens.js';

/** A tool as the model sees it, and as the server published it. */
export interface ToolReport {
  readonly name: string;
  readonly originalName: string;
  readonly title?: string;
  readonly description?: string;
  readonly schema: unknown;
  readonly schemaChanges: readonly string[];
  /** Characters of its declaration in a request, as JSON. */
  readonly chars: number;
  readonly estimatedTokens: number;
  /** The server's annotations; absent if it sends none. */
  readonly annotations: Annotations;
  /** Whether `approveByAnnotations()` lets it run without asking. */
  readonly runsUnasked: boolean;
  readonly isDeferred?: true;
}

interface Annotations {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

const byAnnotations = approveByAnnotations(() => false);

export function describeTool(loopTool: LoopTool): ToolReport {
  const { tool, declaration } = loopTool;
  const { name, description, inputSchema } = declaration;
  const { title, readOnly, destructive, idempotent, openWorld } = tool;
  // The tool as a request has it.
  const wire = { type: 'function', name, ...defined({ description }), parameters: inputSchema, strict: false };
  const chars = JSON.stringify(wire).length;
  return {
    name,
    originalName: tool.name,
    ...defined({ title, description }),
    schema: inputSchema,
    schemaChanges: schemaChanges(tool.inputSchema, inputSchema),
    chars,
    estimatedTokens: estimatedTokens(chars),
    annotations: defined({ readOnly: readOnly || undefined, destructive, idempotent, openWorld }),
    runsUnasked: runsUnasked(loopTool),
    ...(declaration.deferLoading === true ? { isDeferred: true as const } : {}),
  };
}

function runsUnasked(tool: LoopTool): boolean {
  const call = toolCallInfo({ tool, callId: 'none', arguments: {}, round: 0 });
  return byAnnotations({ ...call, needsApproval: false, signal: new AbortController().signal }) === true;
}
