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

/** The provider that answers a call. */
export interface Chosen {
  /** The source of the rounds. @default the server of the settings */
  readonly openSource?: OpenRoundSource;
  /** The answering provider and the reason, if there are two. */
  readonly choice?: ProviderChoice;
  /** The event that announces it. */
  readonly announcement?: (callNumber: number) => ObserverEvent;
  /** Further warnings about the call. */
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
  /** Chooses the provider, after an earlier attempt's choice is known. @default the server of the settings */
  readonly choose?: (earlier: ProviderChoice | undefined) => Chosen | Promise<Chosen>;
}

/** Everything below the AI SDK: one per provider. */
export interface Engine {
  readonly name: string;
  readonly registry: KnownRegistry;
  /** Checks the settings of a model, and returns a copy. */
  own(given: unknown): LoopSettings | undefined;
  /** Opens the plugin of the next call, if the settings have one. `start` opens it by default. */
  plugin(modelId: string): Promise<CallPlugin> | undefined;
  start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall>;
  compact(modelId: string, options: AnyCallOptions, version: VersionName): Promise<CompactedConversation>;
  endpoint(modelId: string): Endpoint;
  /** Knows the secrets of the settings after the first call. */
  readonly redactor: Redactor | undefined;
  /** All loop tools, for lists. */
  toolset(): Promise<Toolset>;
  /** Loads the code behind pages of MCP Apps. */
  apps(): Promise<McpApps>;
  close(): Promise<void>;
}

/** The signals that end a call early. */
export interface CallEnds {
  /** Fires when the call is no longer wanted: by the caller's signal, or because the consumer left. */
  readonly userAbort: Cancellation;
  /** Also fires at the call's deadline, or when the provider is closed. */
  readonly any: Cancellation;
  readonly release: () => void;
  /** Adds work for the release. */
  readonly also: (release: () => void) => void;
}
