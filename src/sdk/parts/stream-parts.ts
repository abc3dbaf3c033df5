import type { ProviderMetadata } from './metadata.js';

/*
 * Stream parts in the words of the AI SDK. These are types of our own: those of `@ai-sdk/provider` differ between its
 * versions in small ways, and a user's copy need not be the one next to us.
 */

/** The parts that every version writes alike. */
export type CommonPart =
  | { type: 'response-metadata'; id?: string; modelId?: string; timestamp?: Date }
  | ({ type: 'text-start'; id: string } & WithMetadata)
  | { type: 'text-delta'; id: string; delta: string }
  | ({ type: 'text-end'; id: string } & WithMetadata)
  | ({ type: 'reasoning-start'; id: string } & WithMetadata)
  | { type: 'reasoning-delta'; id: string; delta: string }
  | ({ type: 'reasoning-end'; id: string } & WithMetadata)
  | ToolInputStart
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-end'; id: string }
  | ToolCallPart
  | SourcePart
  | { type: 'raw'; rawValue: unknown }
  | { type: 'error'; error: unknown };

/** The first part; the versions write warnings in different ways. */
export interface StreamStartPart<UnsupportedWarning> {
  type: 'stream-start';
  warnings: ({ type: 'other'; message: string } | UnsupportedWarning)[];
}

/** The warnings of a version, by its parts. */
export type WarningOf<Part> = Part extends { type: 'stream-start'; warnings: (infer Warning)[] } ? Warning : never;

/** Not in V2. */
export interface UnsupportedFeature {
  type: 'unsupported' | 'compatibility';
  feature: string;
  details: string;
}

interface ToolInputStart {
  type: 'tool-input-start';
  id: string;
  toolName: string;
  providerExecuted?: boolean;
  dynamic?: boolean;
  /** Not in V2, which ignores it. */
  inputEncoding?: 'text';
}

interface ToolCallPart extends WithMetadata {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: string;
  providerExecuted?: boolean;
  dynamic?: boolean;
}

export type SourcePart =
  | { type: 'source'; sourceType: 'url'; id: string; url: string; title?: string }
  | ({ type: 'source'; sourceType: 'document'; id: string; mediaType: string; title: string } & WithMetadata & {
        filename?: string;
      });

/** The result of a tool that ran here or at the server; `providerExecuted` is read by V2 only. */
export interface ToolResultPart<Result> extends WithMetadata {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  result: Result;
  isError?: boolean;
  /** Not in V2: other results follow, the last without this mark. */
  preliminary?: boolean;
  providerExecuted: boolean;
  dynamic: boolean;
}

export interface FilePart<Data> {
  type: 'file';
  mediaType: string;
  data: Data;
}

export interface FinishPart<Reason, Usage> {
  type: 'finish';
  finishReason: Reason;
  usage: Usage;
  providerMetadata: ProviderMetadata;
}

/** The source of a passage; only in V4. */
export interface Citation {
  source: SourcePart;
  startIndex?: number;
  endIndex?: number;
}

/** Not in V2. */
export interface ApprovalRequestPart {
  type: 'tool-approval-request';
  approvalId: string;
  toolCallId: string;
}

export interface WithMetadata {
  providerMetadata?: ProviderMetadata;
}
