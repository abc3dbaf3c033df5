/**
 * Other spellings of an event stream. The format of server-sent events allows them all, so a reader must not see a
 * difference. All expect line feeds, as most servers send.
 */

/** Ends lines in CR LF. */
export function toCrlf(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => text.replaceAll('\n', '\r\n'));
}

/** Ends lines in CR alone. */
export function toCr(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => text.replaceAll('\n', '\r'));
}

/** Drops the `event:` lines; the data has the type too. */
export function withoutEventLines(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => text.replaceAll(/^event:.*\n/gm, ''));
}

/** Adds a byte order mark in front. */
export function withBom(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => `\uFEFF${text}`);
}

/** Adds a comment before every event, as proxies do to keep a connection alive. */
export function withComments(bytes: Uint8Array, comment = 'keep-alive'): Uint8Array {
  const line = `: ${comment}\n\n`;
  return rewrite(bytes, (text) => line + text.replaceAll('\n\n', `\n\n${line}`));
}

/** Adds `data: [DONE]` at the end, as Chat Completions servers and some gateways do. */
export function withDone(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => `${text}data: [DONE]\n\n`);
}

function rewrite(bytes: Uint8Array, change: (text: string) => string): Uint8Array {
  // `ignoreBOM` keeps a byte order mark: the bytes must stay as they were.
  const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  return new TextEncoder().encode(change(text));
}
