import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { asArray, asRecord, asString } from '../../../util/guards.js';
import type { McpAiSdkClient, McpClientRequestOptions, McpToolClient } from './client-like.js';
import { defined } from '../../../util/defined.js';

type Params = Record<string, unknown>;
export type Send = (params: Params, options: RequestOptions) => PromiseLike<unknown>;

/** The methods of a client by the requests they stand for. */
export function plainMethods(client: McpToolClient): ReadonlyMap<string, Send> {
  const methods = new Map<string, Send>([
    ['tools/list', (params, options) => client.listTools(params, promised(options))],
    [
      'tools/call',
      (params, options) => client.callTool({ ...params, name: nameOf(params) }, undefined, promised(options)),
    ],
  ]);
  if (client.readResource !== undefined) {
    methods.set('resources/read', async (params, options) =>
      client.readResource?.({ uri: uriOf(params) }, promised(options)),
    );
  }
  return methods;
}

export function aiSdkMethods(client: McpAiSdkClient): ReadonlyMap<string, Send> {
  /** As last listed; a tool is called through its definition. */
  const definitions = new Map<string, unknown>();
  const methods = new Map<string, Send>([
    [
      'tools/list',
      async (params, { signal }) => {
        const page = await client.listTools({ params, options: signal === undefined ? {} : { signal } });
        for (const tool of asArray(page.tools)) definitions.set(asString(asRecord(tool)?.['name']) ?? '', tool);
        return page;
      },
    ],
    [
      'tools/call',
      async (params, { signal }) => {
        const name = nameOf(params);
        const tools = client.toolsFromDefinitions({ tools: [definitions.get(name)] });
        const execute = asRecord(asRecord(tools)?.[name])?.['execute'];
        if (typeof execute !== 'function') throw new Error(`The client that was handed in has no tool "${name}".`);
        // Its own words for the same two things.
        return execute(params['arguments'], { toolCallId: name, messages: [], abortSignal: signal }) as unknown;
      },
    ],
  ]);
  if (client.readResource !== undefined) {
    methods.set('resources/read', async (params, { signal }) =>
      client.readResource?.({ uri: uriOf(params), options: signal === undefined ? {} : { signal } }),
    );
  }
  return methods;
}

/** The same words for listing, and others for a call. What it gives is the server's whole answer. */
export function oldAiSdkMethods(client: McpToolClient): ReadonlyMap<string, Send> {
  const callTool = client.callTool.bind(client) as (request: object) => PromiseLike<unknown>;
  return new Map<string, Send>([
    ['tools/list', (params, { signal }) => client.listTools({ params, options: defined({ signal }) })],
    [
      'tools/call',
      (params, { signal }) =>
        callTool({ name: nameOf(params), args: params['arguments'] ?? {}, options: defined({ abortSignal: signal }) }),
    ],
  ]);
}

/** What is promised to clients; the SDK's options have more that we never set. */
function promised(options: RequestOptions): McpClientRequestOptions {
  const { signal, timeout, resetTimeoutOnProgress, maxTotalTimeout, onprogress } = options;
  return defined({ signal, timeout, resetTimeoutOnProgress, maxTotalTimeout, onprogress });
}

function nameOf(params: Params): string {
  return asString(params['name']) ?? '';
}

function uriOf(params: Params): string {
  return asString(params['uri']) ?? '';
}
