import type { Redactor } from '../observe/redactor.js';
import type { ProviderChoice } from '../core/round.js';
import type { Endpoint } from '../request/endpoint.js';
import type { OpenRoundSource } from '../rounds/round-source.js';
import type { EngineCall } from '../sdk/parts/stream-result.js';
import type { VersionName } from '../sdk/parts/versions.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import type { LoopSettings } from '../settings/loop-settings.js';
import type { Toolset } from '../tools/loop-tool.js';
import type { CompactedConversation } from '../sdk/parts/compacted.js';
import type { CallPlugin } from '../loop/call-plugin.js';
import type { ObserverEvent } from '../observe/event.js';
import type { Cancellation } from '../util/abort.js';
import type { McpApps } from './mcp-apps.js';
import type { KnownRegistry } from './toolset.js';

/** Who answers a call. */
export interface Chosen {
  /** Where the rounds come from. @default the server of the settings */
  readonly openSource?: OpenRoundSource;
  /** Which provider answers and why, if there are two. */
  readonly choice?: ProviderChoice;
  /** The event that announces it. */
  readonly announcement?: (callNumber: number) => ObserverEvent;
  /** Warnings beside those of the call. */
  readonly warnings?: readonly string[];
}

export interface StartOptions {
  /** Of the AI SDK's specification. */
  readonly version: VersionName;
  readonly stream: boolean;
  /** The model's own settings, one object per model. */
  readonly own?: LoopSettings | undefined;
  /** Opened already. */
  readonly plugin?: CallPlugin | undefined;
  /** Decides who answers, once it is known who did in an earlier attempt. @default the server of the settings */
  readonly choose?: (earlier: ProviderChoice | undefined) => Chosen | Promise<Chosen>;
}

/** Everything below the AI SDK: one per provider. */
export interface Engine {
  readonly name: string;
  readonly registry: KnownRegistry;
  /** Checks the settings that a model is made with, and returns a copy. */
  own(given: unknown): LoopSettings | undefined;
  /** Opens the plugin of the next call, if the settings have one. `start` opens it if it is not given. */
  plugin(modelId: string): Promise<CallPlugin> | undefined;
  start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall>;
  compact(modelId: string, options: AnyCallOptions, version: VersionName): Promise<CompactedConversation>;
  endpoint(modelId: string): Endpoint;
  /** Knows the secrets of the settings, once there was a call. */
  readonly redactor: Redactor | undefined;
  /** All loop tools there are, for lists. */
  toolset(): Promise<Toolset>;
  /** Loads the code behind pages of MCP Apps. */
  apps(): Promise<McpApps>;
  close(): Promise<void>;
}

/** All that may end a call early. */
export interface CallEnds {
  /** Fires when the call is no longer wanted: by the caller's signal, or because the consumer left. */
  readonly userAbort: Cancellation;
  /** The same, or its time is up, or the provider is closed. */
  readonly any: Cancellation;
  readonly release: () => void;
  /** Adds something to do at the release. */
  readonly also: (release: () => void) => void;
}
