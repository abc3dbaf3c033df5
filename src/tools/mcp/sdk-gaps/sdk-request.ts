import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { followAbort } from '../../../util/abort.js';

/**
 * A request over a client of the SDK. Not `callTool()` and its like: they check results against closed schemas, and structured
 * ones with the client's validator, whose default compiles with `eval`.
 */
export async function sdkRequest(
  client: Client,
  method: string,
  params: Record<string, unknown>,
  options?: RequestOptions,
): Promise<Record<string, unknown>> {
  const { ResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
  // The SDK never takes its listener off the signal it is given; this one lives as long as the request.
  const { controller, release } = followAbort(options?.signal);
  try {
    return await client.request({ method, params }, ResultSchema, { ...options, signal: controller.signal });
  } finally {
    release();
  }
}
