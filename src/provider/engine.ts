import type { JsonObject } from '../core/json.js';
import type { CallPart } from '../core/part.js';
import type { Pump } from '../loop/pump.js';
import type { Endpoint } from '../request/endpoint.js';
import type { ToolOffer } from '../tools/loop-tool.js';
import type { McpLiveClient } from '../tools/mcp/client-like.js';
import type { AnyCallOptions } from './from-call-options.js';
import type { MetadataContext } from './metadata.js';

/** What differs between the names this package goes by. */
export interface ProviderConventions {
  readonly name: string;
  readonly slashKeepsPath: boolean;
  readonly defaults: JsonObject;
  readonly nameClash: 'rename' | 'loop';
}

export const CONVENTIONS: ProviderConventions = {
  name: 'responses-loop',
  slashKeepsPath: false,
  defaults: {},
  nameClash: 'rename',
};

/** A call under way, ready for an adapter to translate. */
export interface EngineCall {
  readonly pump: Pump<readonly CallPart[]>;
  readonly warnings: readonly string[];
  readonly requestBody: unknown;
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  readonly metadata: MetadataContext;
  /** Ends the call early: the consumer went away. */
  cancel(reason?: unknown): void;
}

export interface StartOptions {
  readonly stream: boolean;
  /** Whether a loop tool's parts can be shown by this adapter. */
  readonly shows: 'all' | 'declared';
  /** Whether this adapter has a part that asks the user for leave; if not, who needs leave is denied it. */
  readonly asks: boolean;
  /** Items that are no tool calls, and that this adapter has a part for. Default: none. */
  readonly tells?: (item: JsonObject) => boolean;
}

/** Everything below the AI SDK: one per provider. */
export interface Engine {
  readonly name: string;
  start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall>;
  endpoint(modelId: string): Endpoint;
  offer(): Promise<ToolOffer>;
  mcpClient(key: string): Promise<McpLiveClient>;
  close(): Promise<void>;
}
