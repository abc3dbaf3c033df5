import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { errorOutput, type ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import { asNumber, isRecord } from '../../util/guards.js';
import { DEFAULT_TOOL_TIMEOUT_MS, timeLimits, timeLimitText, ToolTimeout } from '../call/time-limits.js';
import { timerMs } from '../../util/timer-ms.js';
import { mapContentResult } from '../map-content-result.js';
import type { ExecuteOptions } from '../tool-source.js';
import { rpcCode } from './failure.js';
import type { McpSchemaValidator } from './schema-validator.js';
import type { McpSession } from './session.js';
import { defined } from '../../util/defined.js';

const REQUEST_TIMEOUT = -32001;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

export interface McpToolCall {
  readonly session: McpSession;
  readonly name: string;
  readonly args: ToolArguments;
  readonly validator: McpSchemaValidator;
}

/**
 * One `tools/call`. A progress callback always goes along: without one no progress token is sent, and the SDK's
 * `resetTimeoutOnProgress` does nothing (modelcontextprotocol/typescript-sdk#2250).
 */
export async function callMcpTool(
  { session, name, args, validator }: McpToolCall,
  options: ExecuteOptions,
): Promise<ToolOutput> {
  const defaults = timeLimits(session.tool(name)?.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS);
  const idleMs = timerMs(options.timeoutMs ?? defaults.idleMs);
  const totalMs = timerMs(options.totalTimeoutMs ?? timeLimits(idleMs).totalMs);
  try {
    const result = await session.connection.request(
      'tools/call',
      { name, arguments: { ...args } },
      {
        signal: options.signal,
        timeout: idleMs,
        resetTimeoutOnProgress: true,
        maxTotalTimeout: totalMs,
        onprogress: (step) => options.onProgress?.(readProgress(step)),
      },
    );
    return mismatch(session, name, result, validator) ?? mapContentResult(result);
  } catch (error) {
    const code = rpcCode(error);
    // The list may be out of date: the next call looks again.
    if (code === METHOD_NOT_FOUND || code === INVALID_PARAMS) session.markStale();
    throw code === REQUEST_TIMEOUT ? readTimeout(name, error) : error;
  }
}

function readProgress(step: Progress): { progress: number; total?: number; message?: string } {
  return {
    progress: step.progress,
    ...defined({ total: step.total, message: step.message }),
  };
}

/** The SDK tells its two limits apart in `data`; a server's own -32001 has neither and is passed on. */
function readTimeout(name: string, error: unknown): unknown {
  const data = isRecord(error) && isRecord(error['data']) ? error['data'] : {};
  const total = asNumber(data['maxTotalTimeout']);
  const idle = asNumber(data['timeout']);
  if (total !== undefined) return new ToolTimeout(timeLimitText(name, 'total', total));
  return idle === undefined ? error : new ToolTimeout(timeLimitText(name, 'idle', idle));
}

function mismatch(
  session: McpSession,
  name: string,
  result: Record<string, unknown>,
  validator: McpSchemaValidator,
): ToolOutput | undefined {
  const schema = session.tool(name)?.outputSchema;
  // An error need not have the shape of a result (modelcontextprotocol/typescript-sdk#628).
  if (schema === undefined || result['isError'] === true || result['structuredContent'] === undefined) return undefined;
  const checked = validator.getValidator(schema)(result['structuredContent']);
  if (checked.valid) return undefined;
  return errorOutput(
    `The tool "${name}" returned a result that does not match its output schema: ${checked.errorMessage}`,
  );
}
