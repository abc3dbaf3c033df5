/**
 * Other ways to write the same event stream. The server-sent-events format allows all of them, so a reader must not see a
 * difference. All expect the line feeds most servers send.
 */

/** Lines end in CR LF. */
export function toCrlf(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => text.replaceAll('\n', '\r\n'));
}

/** Lines end in CR alone. */
export function toCr(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => text.replaceAll('\n', '\r'));
}

/** No `event:` lines: the type stands in the data anyway. */
export function withoutEventLines(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => text.replaceAll(/^event:.*\n/gm, ''));
}

/** A byte order mark in front. */
export function withBom(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => `\uFEFF${text}`);
}

/** A comment before every event, as proxies send to keep a connection alive. */
export function withComments(bytes: Uint8Array, comment = 'keep-alive'): Uint8Array {
  const line = `: ${comment}\n\n`;
  return rewrite(bytes, (text) => line + text.replaceAll('\n\n', `\n\n${line}`));
}

/** `data: [DONE]` at the end, as Chat Completions servers and some gateways send. */
export function withDone(bytes: Uint8Array): Uint8Array {
  return rewrite(bytes, (text) => `${text}data: [DONE]\n\n`);
}

function rewrite(bytes: Uint8Array, change: (text: string) => string): Uint8Array {
  // `ignoreBOM` keeps a byte order mark instead of dropping it; the bytes must come back as they were.
  const text = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes);
  return new TextEncoder().encode(change(text));
}
