// The exports of every entry.
export type {
  AskedRecord,
  CallHead,
  FailureRecord,
  Journal,
  JournalRecord,
  JournalStep,
  MarkRecord,
  RoundRecord,
  ToolHead,
  ToolRecord,
} from './journal/journal.js';
export type { Limits, ReachedLimit } from './core/limits.js';
export type { ToolOutput } from './core/message.js';
export type { ProviderChoice as FallbackChoice } from './core/round.js';
export type { Profile } from './core/profile.js';
export type { ErrorCode } from './errors/error-code.js';
export { ApiError, ResponsesLoopError } from './errors/for-users.js';
export type { OnUnknownTool } from './loop/loop-options.js';
export type { Observer, ObserverEvent } from './observe/event.js';
export { httpLog, type HttpLogEntry } from './observe/http-log.js';
export { logEvents, type Logger, type ObjectFirstLogger, showControls } from './observe/log-events.js';
export { observers } from './observe/observers.js';
export type { MessageSoFar } from './sdk/parts/collect-messages.js';
export { messagesSoFar } from './provider/messages-so-far.js';
export { openTelemetry } from './provider/open-telemetry.js';
export { watchCache } from './provider/watch-cache.js';
export type { OpenTelemetryOptions } from './observe/open-telemetry.js';
export type { SpanTracer } from './observe/span.js';
export type {
  AuthFunction,
  AuthRequest,
  HeaderSetting,
  RequestChanges,
  RequestDraft,
  RequestPlace,
  TransformRequest,
} from './settings/request-hooks.js';
export type { CompactOptions, EndpointInfo, ResponsesProvider } from './provider/create-provider.js';
export type { ModelId } from './provider/model-id.js';
export type { ResponsesCallOptions } from './request/call-options.js';
export type { CompactedConversation, CompactedMessage, CompactedMessageV4 } from './sdk/parts/compacted.js';
export type { LimitOverrides, ModelOverrides, ResponsesProviderSettings } from './settings/settings.js';
export type { CallLoopSettings, LoopCallOptions, LoopSettings } from './settings/loop-settings.js';
export type { FallOver } from './fallback/fall-over.js';
export type { UseStock } from './fallback/flag.js';
export type { StockModel, StockProvider } from './fallback/model.js';
export { createSteering, type Steering } from './between/steering.js';
export { afterTool, costBudget, type LoopState, type StopCondition, tokenBudget } from './between/stop-when.js';
export type { OutputStore } from './outputs/output-store.js';
export type { PreparedRound, PrepareRound, RoundToPrepare } from './between/prepare-round.js';
export type { Price } from './between/price.js';
export type { SdkTool, SdkTools } from './provider/sdk-tools.js';
export type { LoopToolInfo, ToolStubs } from './provider/tool-stubs.js';
export type { ApiKeySetting } from './request/key-pool.js';
export type { ProfileName } from './request/profiles.js';
export type { Approve, ToolApproval, ToolApprovalRequest, ToolCallInfo } from './tools/call/approval.js';
export { type ApprovalPolicy, type ApprovalRule, approveByAnnotations } from './tools/approve-by-annotations.js';
export type { RedactToolOutput } from './tools/call/redact-output.js';
export type { LocalExecuteOptions, LocalTool } from './tools/local/local-tool.js';
export type { McpAppResourceRequest, McpAppToolCall, McpAppToolResult } from './provider/mcp-apps.js';
export type { McpAppCsp, McpAppPermissions, McpAppResource } from './tools/mcp/apps/read-page.js';
export type { McpAiSdkClient, McpClientLike, McpLiveClient, McpToolClient } from './tools/mcp/connect/client-like.js';
export type { McpElicitationAnswer, McpElicitationRequest, OnElicitation } from './tools/mcp/elicitation.js';
export type { McpToolsChange, OnToolsChanged } from './tools/mcp/review-tools.js';
export type {
  McpCallContext,
  McpClientConfig,
  McpHeaders,
  McpHttpConfig,
  McpMeta,
  McpServerConfig,
  McpServerEntry,
  McpServers,
  McpStdioConfig,
  McpToolAnnotations,
  McpToolDescription,
} from './tools/mcp/server-config.js';
