import type { FileContent, ToolOutput } from '../../core/message.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import { isRecord } from '../../util/guards.js';
import {
  hostedToMetadata,
  METADATA_KEY,
  type MetadataContext,
  outputToMetadata,
  type ProviderMetadata,
} from './metadata.js';
import type { ToolResultPart } from './stream-parts.js';
import { BY_PROVIDER, type PartOf } from './to-stream-part.js';

/** Returns the part of a result. `result` has the form of the AI SDK's version. */
export function toResultPart<Result>(
  { callId, name, origin, output, callItem, isPreliminary, followsPreliminary }: PartOf<'tool-result'>,
  result: Result,
  context: MetadataContext,
): ToolResultPart<Result> {
  const isWritten = followsPreliminary === true || !readsBack(output, result);
  const lost = origin === 'loop' && isWritten ? outputToMetadata(output) : undefined;
  const own = origin === 'loop' && isPreliminary === true ? PRELIMINARY : lost;
  return {
    type: 'tool-result',
    toolCallId: callId,
    toolName: name,
    result,
    ...(output.isError ? { isError: true } : {}),
    ...(isPreliminary === true ? { preliminary: true } : {}),
    ...BY_PROVIDER,
    ...defined({ providerMetadata: callItem === undefined ? own : hostedToMetadata(callItem, context) }),
  };
}

/**
 * Marks preliminary results for a history, because AI SDK 6 and 7 drop the flag. A UI message keeps the metadata of the
 * last result with some, so the next result has some, too.
 */
const PRELIMINARY: ProviderMetadata = { [METADATA_KEY]: { preliminary: true } };

/** Whether the shown result restores the model's output. Users see a tool's value; the model may have read a text. */
function readsBack({ value, content }: ToolOutput, shown: unknown): boolean {
  // The content itself is shown.
  if (value === undefined && content.some((part) => part.type === 'file')) return true;
  const [only, ...others] = content;
  if (only?.type !== 'text' || others.length > 0) return false;
  return typeof shown === 'string' ? shown === only.text : JSON.stringify(shown) === only.text && !isWrapped(shown);
}

/** Whether a history reads the value as content. */
function isWrapped(value: unknown): boolean {
  return isRecord(value) && value['type'] === 'content' && Array.isArray(value['value']);
}

/**
 * Returns the shown form of a result without a structured value: the text, or all content in the SDK's form, with files
 * by `toFile`.
 */
export function shownContent(
  { content }: ToolOutput,
  toFile: (file: FileContent) => JsonObject,
): NonNullable<JsonValue> {
  if (content.every((part) => part.type === 'text')) return content.map((part) => part.text).join('\n');
  return {
    type: 'content',
    value: content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : toFile(part))),
  };
}
