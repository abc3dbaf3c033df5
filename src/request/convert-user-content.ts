import type { CacheMarked, FileContent, UserContent } from '../core/message.js';
import type {
  CacheBreakpointField,
  ImageDetail,
  InputContent,
  InputFile,
  InputImage,
  InputText,
} from '../wire/input-item.js';

export function convertUserContent(content: readonly UserContent[]): InputContent[] {
  // Servers refuse empty texts; an empty message is left out by whoever asked.
  return content.filter((part) => part.type !== 'text' || part.text !== '').map(convertPart);
}

export function convertPart(part: UserContent): InputText | InputImage | InputFile {
  return part.type === 'text' ? convertText(part.text, part) : { ...convertFile(part), ...breakpointOf(part) };
}

export function convertText(text: string, mark: CacheMarked = {}): InputText {
  return { type: 'input_text', text, ...breakpointOf(mark) };
}

function breakpointOf({ cacheBreakpoint }: CacheMarked): CacheBreakpointField {
  // The caller's words for the API; the server checks them.
  return cacheBreakpoint === undefined
    ? {}
    : ({ prompt_cache_breakpoint: cacheBreakpoint } as unknown as CacheBreakpointField);
}

/** An image stays an image; everything else is a file, which OpenAI tells apart by its name. */
function convertFile(file: FileContent): InputImage | InputFile {
  return file.mediaType === 'image' || file.mediaType.startsWith('image/')
    ? convertImage(file)
    : convertPlainFile(file);
}

function convertImage({ source, mediaType, detail }: FileContent): InputImage {
  // The caller's word for it; the server knows more details than we do.
  const extra = detail === undefined ? {} : { detail: detail as ImageDetail };
  if (source.type === 'id') return { type: 'input_image', file_id: source.id, ...extra };
  const url =
    source.type === 'url'
      ? source.url
      : dataUrl(isWhole(mediaType) ? mediaType : imageTypeOf(source.base64), source.base64);
  return { type: 'input_image', image_url: url, ...extra };
}

function convertPlainFile({ source, mediaType, filename }: FileContent): InputFile {
  if (source.type === 'id') return { type: 'input_file', file_id: source.id };
  if (source.type === 'url') return { type: 'input_file', file_url: source.url };
  const type = isWhole(mediaType) ? mediaType : UNKNOWN_TYPE;
  return {
    type: 'input_file',
    file_data: dataUrl(type, source.base64),
    filename: filename ?? `file.${type === UNKNOWN_TYPE ? 'bin' : type.split('/').at(-1)}`,
  };
}

const UNKNOWN_TYPE = 'application/octet-stream';

/** `image` and `image/*` name a kind only. */
function isWhole(mediaType: string): boolean {
  return mediaType.includes('/') && !mediaType.endsWith('/*');
}

/** How the formats that servers take begin, in base64. */
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
