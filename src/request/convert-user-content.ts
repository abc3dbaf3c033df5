import type { FileContent, UserContent } from '../core/message.js';
import type { ImageDetail, InputContent, InputFile, InputImage } from '../wire/input-item.js';

export function convertUserContent(content: readonly UserContent[]): InputContent[] {
  return content.map((part) => (part.type === 'text' ? { type: 'input_text', text: part.text } : convertFile(part)));
}

/** An image stays an image; everything else is a file, which OpenAI tells apart by its name. */
export function convertFile(file: FileContent): InputImage | InputFile {
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
