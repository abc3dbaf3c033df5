/** The value as it will be read back from the rollout: what is sent later must not depend on whether it was. */
export function plainJson(value: unknown): unknown {
  if (value === undefined) return undefined;
  try {
    const text = JSON.stringify(value, toPlain);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    // It holds itself.
    return '[a value that cannot be written as JSON]';
  }
}

function toPlain(_key: string, value: unknown): unknown {
  if (value instanceof Error) return value.message;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'bigint' ? value.toString() : value;
}
