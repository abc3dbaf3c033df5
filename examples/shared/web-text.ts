/** What a page says of its own type. */
export interface ContentType {
  readonly type: string;
  readonly charset?: string | undefined;
}

/** Only these can be read as text. */
const TEXT =
  /^(text\/[\w.+-]+|application\/(json|xml|xhtml\+xml|javascript|ecmascript|yaml|x-yaml|toml|x-ndjson|ld\+json|[\w.-]+\+(json|xml|yaml)))$/;
const HTML: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;
const META_BYTES = 2048;

export function contentTypeOf(header: string | undefined): ContentType {
  const [type = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim());
  const named = parameters
    .map((part) => part.split('='))
    .find(([name = '']) => name.trim().toLowerCase() === 'charset');
  return { type: type.toLowerCase(), charset: named?.[1]?.replaceAll('"', '').trim() };
}

export function isReadable({ type }: ContentType): boolean {
  return TEXT.test(type);
}

export function isHtml({ type }: ContentType): boolean {
  return HTML.has(type);
}

/** The text of a body: by its mark of order, its header, what the page says of itself, or as UTF-8. */
export function decodeBody(body: Buffer, type: ContentType): string {
  const own = isHtml(type) ? META_CHARSET.exec(body.subarray(0, META_BYTES).toString('latin1'))?.[1] : undefined;
  return decoderOf(markOf(body) ?? type.charset ?? own).decode(body);
}

function markOf(body: Buffer): string | undefined {
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 'utf-8' : undefined;
}

/** Of an unknown name, that of UTF-8. */
function decoderOf(charset = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
