import type { FileContent, ToolOutput } from '../../core/message.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { defined } from '../../util/defined.js';
import { isRecord } from '../../util/guards.js';
import { hostedToMetadata, type MetadataContext, outputToMetadata, type ProviderMetadata } from './metadata.js';
import type { ToolResultPart } from './stream-parts.js';
import { BY_PROVIDER, type PartOf } from './to-stream-part.js';

/** A file inside a tool's result, in a version's own words for results with several parts. */
export type ToResultFile = (file: FileContent) => JsonObject;

/** What a user interface shows: the structured value, else the text, else everything in the SDK's words. */
export function toResult(output: ToolOutput, toFile: ToResultFile): JsonValue {
  return output.value === undefined ? toShownContent(output, toFile) : output.value;
}

/** The same where `null` is no result: the text that the model was given stands for it. */
export function toNonNullResult(output: ToolOutput, toFile: ToResultFile): NonNullable<JsonValue> {
  return output.value ?? toShownContent(output, toFile);
}

export function toResultPart<Result>(
  part: PartOf<'tool-result'> | PartOf<'hosted-result'>,
  result: Result,
  context: MetadataContext,
): ToolResultPart<Result> {
  const isError = part.type === 'tool-result' ? part.output.isError : part.isError;
  const providerMetadata =
    part.type === 'tool-result' ? lostMetadata(part.output, result) : itemMetadata(part.callItem, context);
  return {
    type: 'tool-result',
    toolCallId: part.callId,
    toolName: part.name,
    result,
    ...(isError ? { isError: true } : {}),
    ...(part.type === 'hosted-result' && part.isPreliminary === true ? { preliminary: true } : {}),
    ...BY_PROVIDER,
    ...defined({ providerMetadata }),
  };
}

/** What the history would not give back. */
function lostMetadata(output: ToolOutput, shown: unknown): ProviderMetadata | undefined {
  return readsBack(output, shown) ? undefined : outputToMetadata(output);
}

function itemMetadata(item: JsonObject | undefined, context: MetadataContext): ProviderMetadata | undefined {
  return item === undefined ? undefined : hostedToMetadata(item, context);
}

/** Whether the history gives back what the model was given. Users see a tool's value, the model may have read other words. */
function readsBack({ value, content }: ToolOutput, shown: unknown): boolean {
  // What is shown then is the content itself.
  if (value === undefined && content.some((part) => part.type === 'file')) return true;
  const [only, ...others] = content;
  if (only?.type !== 'text' || others.length > 0) return false;
  return typeof shown === 'string' ? shown === only.text : JSON.stringify(shown) === only.text && !isWrapped(shown);
}

/** A value in the shape of a content is read as one. */
function isWrapped(value: unknown): boolean {
  return isRecord(value) && value['type'] === 'content' && Array.isArray(value['value']);
}

function toShownContent({ content }: ToolOutput, toFile: ToResultFile): NonNullable<JsonValue> {
  if (content.every((part) => part.type === 'text')) return content.map((part) => part.text).join('\n');
  return {
    type: 'content',
    value: content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : toFile(part))),
  };
}
