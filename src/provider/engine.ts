import type { FallbackChoice } from '../observe/event.js';
import type { Endpoint } from '../request/endpoint.js';
import type { OpenRoundSource } from '../rounds/round-source.js';
import type { EngineCall } from '../sdk/parts/stream-result.js';
import type { VersionName } from '../sdk/parts/versions.js';
import type { AnyCallOptions } from '../sdk/prompt/from-call-options.js';
import type { Toolset } from '../tools/loop-tool.js';
import type { McpLiveClient } from '../tools/mcp/connect/client-like.js';
import type { CompactedConversation } from '../sdk/parts/compacted.js';
import type { CallJournal } from '../journal/call-journal.js';
import type { Cancellation } from '../util/abort.js';

/** Who answers a call. */
export interface Chosen {
  /** Where the rounds come from. Default: the server of the settings. */
  readonly openSource?: OpenRoundSource;
  /** Which provider answers and why, if there are two. */
  readonly fallback?: FallbackChoice & { readonly error?: string };
  /** Warnings beside those of the call. */
  readonly warnings?: readonly string[];
}

export interface StartOptions extends Chosen {
  /** Of the AI SDK's specification. */
  readonly version: VersionName;
  readonly stream: boolean;
  /** Opened already. */
  readonly journal?: CallJournal | undefined;
  /** With a journal: decides who answers, once it is known who did in an earlier attempt. */
  readonly choose?: Choose;
}

export type Choose = (recorded: FallbackChoice | undefined) => Chosen | Promise<Chosen>;

/** Everything below the AI SDK: one per provider. */
export interface Engine {
  readonly name: string;
  /** The journal of the next call, where the settings have one; asked for by `start` where it is not given. */
  journal(modelId: string): Promise<CallJournal | undefined> | undefined;
  start(modelId: string, options: AnyCallOptions, how: StartOptions): Promise<EngineCall>;
  compact(modelId: string, options: AnyCallOptions, version: VersionName): Promise<CompactedConversation>;
  endpoint(modelId: string): Endpoint;
  /** All loop tools there are, for lists. */
  toolset(): Promise<Toolset>;
  mcpClient(key: string): Promise<McpLiveClient>;
  finishSignIn(key: string, callbackUrl: string | URL): Promise<void>;
  close(): Promise<void>;
}

/** All that may end a call early. */
export interface CallEnds {
  /** It is no longer wanted: the caller's signal, or a consumer that went away. */
  readonly userAbort: Cancellation;
  /** The same, or its time is up, or the provider is closed. */
  readonly any: Cancellation;
  readonly release: () => void;
}
