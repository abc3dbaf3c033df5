import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { withSignal } from '../../../util/abort.js';
import { defined } from '../../../util/defined.js';
import { asId, asRecord } from '../../../util/guards.js';
import type { McpConnection } from '../connect/connection.js';
import { inOlderWords } from './errors.js';
import { HeaderFault, paramHeaders, readParamHeaders } from './param-headers.js';
import { AS_IT_CAME, OURS } from './transport-view.js';

type Params = Record<string, unknown>;

/** Takes every result: the SDK's own schemas are closed. */
const ANY_RESULT: StandardSchemaV1<unknown, Params> = {
  '~standard': { version: 1, vendor: 'responses-loop', validate: (value) => ({ value: value as Params }) },
};

interface ModernRequestOptions {
  /** Over HTTP some arguments go into headers as well, and a server may refuse calls without them. */
  readonly isHttp: boolean;
  /** Whether the transport is seen through `viewOf`. */
  readonly isOurs: boolean;
}

/** Requests over a client for revision 2026-07-28, with results as they came and errors as everywhere else. */
export function modernRequests(
  client: Client,
  { isHttp, isOurs }: ModernRequestOptions,
): Required<Pick<McpConnection, 'request' | 'admit'>> {
  const declared = new Map<string, ReturnType<typeof readParamHeaders>>();
  return {
    async request(method, params, options) {
      const name = method === 'tools/call' ? asId(params['name']) : undefined;
      const ownHeaders = declared.get(name ?? '');
      const headers = ownHeaders && paramHeaders(ownHeaders, asRecord(params['arguments']) ?? {});
      const meta = isOurs ? { _meta: { ...asRecord(params['_meta']), [OURS]: true } } : {};
      const sent = { method, params: { ...params, ...meta } };
      try {
        const result = await withSignal([options?.signal], (signal) =>
          client.request(sent, ANY_RESULT, { ...options, signal, ...defined({ headers }) } as object),
        );
        return asRecord(result[AS_IT_CAME]) ?? result;
      } catch (error) {
        throw inOlderWords(error);
      }
    },
    admit(tool) {
      const { name, inputSchema } = asRecord(tool) ?? {};
      try {
        declared.set(String(name), isHttp ? readParamHeaders(inputSchema) : []);
        return undefined;
      } catch (error) {
        // Too deep a schema is found, and left out, where it is read.
        return error instanceof HeaderFault ? `its \`x-mcp-header\` cannot be followed: ${error.message}` : undefined;
      }
    },
  };
}
