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
      : dataUrl(mediaType.endsWith('/*') || !mediaType.includes('/') ? 'image/png' : mediaType, source.base64);
  return { type: 'input_image', image_url: url, ...extra };
}

function convertPlainFile({ source, mediaType, filename }: FileContent): InputFile {
  if (source.type === 'id') return { type: 'input_file', file_id: source.id };
  if (source.type === 'url') return { type: 'input_file', file_url: source.url };
  return {
    type: 'input_file',
    file_data: dataUrl(mediaType, source.base64),
    filename: filename ?? `file.${mediaType.split('/').at(-1) ?? 'bin'}`,
  };
}

function dataUrl(mediaType: string, base64: string): string {
  return `data:${mediaType};base64,${base64}`;
}
