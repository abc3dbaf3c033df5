import { ownWords } from '../core/clean-text.js';
import type { Call } from '../core/call.js';
import type { JsonObject } from '../core/json.js';
import type { ApprovalContent, CacheMarked, FileContent, SystemMessage, UserContent } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { defined } from '../util/defined.js';
import type {
  CacheBreakpointField,
  ImageDetail,
  InputAdditionalTools,
  InputConfigurationUpdate,
  InputContent,
  InputFile,
  InputImage,
  InputItem,
  InputText,
} from '../wire/input-item.js';
import type { HostedTool } from '../wire/tool.js';

/** Throws for parts that the back end is known to refuse. The error names their place. */
export function checkPrompt({ messages, clientTools }: Pick<Call, 'messages' | 'clientTools'>, profile: Profile): void {
  let hasContent = messages.length === 0;
  for (const [index, message] of messages.entries()) {
    const parts = message.role === 'user' ? message.content : [];
    hasContent ||= message.role !== 'user';
    for (const [place, part] of parts.entries()) {
      hasContent ||= part.type === 'file' || part.text !== '';
      const problem = part.type === 'file' ? problemOf(part, profile) : undefined;
      if (problem !== undefined) throw invalid(`Message ${index}, part ${place}: ${problem}`);
    }
  }
  // Every server refuses such a prompt with a less helpful error.
  if (!hasContent)
    throw invalid(`All messages are empty, so the back end "${profile.name}" would have nothing to answer.`);
  const nameless = clientTools.findIndex((tool) => tool.name.trim() === '');
  if (nameless >= 0) throw invalid(`tools[${nameless}] has no name, and "${profile.name}" refuses such a request.`);
}

export function isImage({ mediaType }: FileContent): boolean {
  return mediaType === 'image' || mediaType.startsWith('image/');
}

function problemOf(file: FileContent, profile: Profile): string | undefined {
  if (!isImage(file) && !profile.inputFiles)
    return `${file.mediaType} cannot be sent: the back end "${profile.name}" takes no files but images. Send its text instead.`;
  if (file.source.type === 'url' && !profile.inputUrls)
    return `${file.mediaType} cannot be sent as a URL: the back end "${profile.name}" fetches nothing. Send the data itself.`;
  return undefined;
}

function invalid(message: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'invalid-prompt', message: ownWords(message) });
}

export function convertUserContent(content: readonly UserContent[]): InputContent[] {
  const converted: InputContent[] = [];
  // Servers refuse empty texts; the caller omits a message without content.
  for (const part of content) if (part.type !== 'text' || part.text !== '') converted.push(convertPart(part));
  return converted;
}

export function convertPart(part: UserContent): InputText | InputImage | InputFile {
  return part.type === 'text' ? convertText(part.text, part) : { ...convertFile(part), ...breakpointOf(part) };
}

export function convertText(text: string, mark: CacheMarked): InputText {
  return mark.cacheBreakpoint === undefined
    ? { type: 'input_text', text }
    : { type: 'input_text', text, ...breakpointOf(mark) };
}

function breakpointOf({ cacheBreakpoint }: CacheMarked): CacheBreakpointField {
  // The server checks what the caller wrote.
  return defined({ prompt_cache_breakpoint: cacheBreakpoint }) as unknown as CacheBreakpointField;
}

/** Writes an image as an image, and anything else as a file. OpenAI knows the kind of a file by its name. */
function convertFile(file: FileContent): InputImage | InputFile {
  return isImage(file) ? convertImage(file) : convertPlainFile(file);
}

function convertImage(file: FileContent): InputImage {
  const { source, detail } = file;
  // The server may accept more values than the type lists.
  const extra = defined({ detail: detail as ImageDetail | undefined });
  if (source.type === 'id') return { type: 'input_image', file_id: source.id, ...extra };
  if (source.type === 'url') return { type: 'input_image', image_url: source.url, ...extra };
  return { type: 'input_image', image_url: dataUrl(mediaTypeOf(file), source.base64), ...extra };
}

function convertPlainFile(file: FileContent): InputFile {
  const { source } = file;
  if (source.type === 'id') return { type: 'input_file', file_id: source.id };
  if (source.type === 'url') return { type: 'input_file', file_url: source.url };
  return { type: 'input_file', file_data: dataUrl(mediaTypeOf(file), source.base64), filename: filenameOf(file) };
}

const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Returns the whole media type, because `image` and `image/*` name a kind only. Only the server knows the type of a
 * URL.
 */
export function mediaTypeOf(file: FileContent): string {
  const { mediaType, source } = file;
  if (mediaType.includes('/') && !mediaType.endsWith('/*')) return mediaType;
  if (!isImage(file)) return UNKNOWN_TYPE;
  return source.type === 'data' ? imageTypeOf(source.base64) : 'image/*';
}

/** Returns the name of an inline file, because servers refuse one without a name. */
export function filenameOf(file: FileContent): string {
  const type = mediaTypeOf(file);
  return file.filename ?? `file.${type === UNKNOWN_TYPE ? 'bin' : type.split('/').at(-1)}`;
}

/** Beginnings of the formats that servers take, in base64. */
const IMAGE_BEGINNINGS: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

function imageTypeOf(base64: string): string {
  return IMAGE_BEGINNINGS.find(([beginning]) => base64.startsWith(beginning))?.[1] ?? 'image/png';
}

function dataUrl(mediaType: string, base64: string): string {
  return `data:${mediaType};base64,${base64}`;
}

/**
 * Returns the changes that a system message makes from its place on. The server refuses those that it does not support.
 */
export function convertControls({
  reasoningEffort,
  textFormat,
  additionalTools = [],
}: Pick<SystemMessage, 'reasoningEffort' | 'textFormat' | 'additionalTools'>): InputItem[] {
  const update = defined({
    reasoning: reasoningEffort === undefined ? undefined : { effort: reasoningEffort },
    text: textFormat === undefined ? undefined : { format: textFormat },
  }) as Omit<InputConfigurationUpdate, 'type'>;
  return [
    ...(Object.keys(update).length === 0 ? [] : [{ type: 'configuration_update' as const, ...update }]),
    ...convertAdditionalTools(additionalTools),
  ];
}

export function convertAdditionalTools(tools: readonly JsonObject[] = []): InputAdditionalTools[] {
  // Each has a type, because the reader checked it.
  return tools.length === 0
    ? []
    : [{ type: 'additional_tools', role: 'developer', tools: tools as unknown as HostedTool[] }];
}

export function convertApproval({ approvalId, approved, reason }: ApprovalContent): InputItem {
  return {
    type: 'mcp_approval_response',
    approval_request_id: approvalId,
    approve: approved,
    ...defined({ reason }),
  };
}
