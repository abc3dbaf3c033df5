const MAX_CHARS = 80;

/** A name that every system takes for a file, made of a title. */
export function fileNameOf(title: string, extension: string): string {
  const plain = title
    .replace(/[\p{C}\\/:*?"<>|]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+/u, '');
  // By code points: half of a pair is no text.
  const name = [...plain]
    .slice(0, MAX_CHARS)
    .join('')
    .replace(/[. ]+$/u, '');
  return `${name === '' ? 'chat' : name}.${extension}`;
}

/** As a header: an old form in ASCII, and the name itself. */
export function attachment(name: string): string {
  const ascii = name.replace(/[^ -~]|%/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
