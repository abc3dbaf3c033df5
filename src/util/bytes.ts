/** The bytes of whatever holds bytes; also of another realm (iframes, Electron), whose buffers `instanceof` does not know. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const isBuffer = /^\[object (?:Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}
