import type { JsonObject } from '../../core/json.js';
import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import type { ScriptedRequest } from './scripted-step.js';

/** A request as the script handles it. */
export interface ReceivedRequest extends ScriptedRequest {
  index: number;
}

/** One request and its response: over a socket, or as the `Response` of an injected `fetch`. */
export interface Exchange {
  readonly request: ReceivedRequest;
  /** Fires when the client has gone: stop sending. */
  readonly gone: AbortSignal;
  /** Whether anything was sent. */
  readonly hasHead: boolean;
  head(status: number, headers: Readonly<Record<string, string>>): void;
  /** Resolves when the chunk was sent, so that chunks stay apart. */
  write(chunk: Uint8Array): Promise<void>;
  end(): void;
  /** Ends the connection from our side, as opposed to the client's abort. */
  breakOff(): void;
}

/** Every path of a Responses endpoint ends in `responses`, or in the path that compacts conversations. */
export function isForResponses(method: string, path: string): boolean {
  return method === 'POST' && /\/responses(?:\/compact)?\/?$/.test(path);
}

/** Describes a request over HTTP or by `fetch`. */
export function describeRequest(sent: {
  readonly method: string;
  readonly url: string;
  readonly headers: ScriptedRequest['headers'];
  readonly text: string;
}): Pick<ScriptedRequest, 'method' | 'url' | 'headers' | 'text' | 'body' | 'input'> {
  const value = parseJson(sent.text);
  const body = isJsonObject(value) ? value : {};
  const input: unknown = body['input'];
  return { ...sent, body, input: Array.isArray(input) ? input.filter(isJsonObject) : [] };
}

/** A JSON object from `JSON.parse` holds JSON values only. */
function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
