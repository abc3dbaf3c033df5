import type { JsonObject, JsonValue } from './json.js';

/** A call of a tool that the server runs itself, emitted when the server has finished it. */
export interface HostedCall {
  readonly type: 'hosted-call';
  readonly callId: string;
  /** The kind of tool: `web_search`, `mcp`, … */
  readonly tool: string;
  /** A JSON text. */
  readonly input: string;
  /** The item as it came, for replay. */
  readonly item: JsonObject;
}

/** A tool that the server runs has begun, or has something to show before its result. */
export interface HostedPreview {
  readonly type: 'hosted-preview';
  readonly callId: string;
  readonly tool: string;
  /** What there is so far, in the form of the result; absent where the work has only begun. */
  readonly result?: JsonValue;
}

export interface HostedResult {
  readonly type: 'hosted-result';
  readonly callId: string;
  readonly tool: string;
  readonly result: JsonValue;
  /** The result where previews were shown: it takes their place, so it has what they had. */
  readonly afterPreviews?: JsonValue;
  readonly isError: boolean;
  /** The item it came in, where that is not the item of the call: the next request has to hold it behind the call. */
  readonly item?: JsonObject;
  /** Its call is in no response of this round; `callId` is what the server calls it. */
  readonly isLate?: true;
}

/** A call of the server's own tool; without an item where it was shown before it was whole: see `callItem`. */
export interface ShownHostedCall extends Omit<HostedCall, 'item'> {
  readonly name: string;
  readonly item?: JsonObject;
}

export interface ShownHostedResult extends Omit<HostedResult, 'afterPreviews'> {
  readonly name: string;
  /** The item of the call, where that was shown without one. */
  readonly callItem?: JsonObject;
  /** Others follow, the last of them without this mark. */
  readonly isPreliminary?: true;
}
