import { isRecord } from '../../util/guards.js';

/** Returns the target of a local `$ref` (`#`, `#/$defs/a~1b`) in the document, or `undefined`. */
export function resolvePointer(document: unknown, ref: string): unknown {
  return pointerTokens(ref)?.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return (value as unknown[])[Number(key)];
    return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, document);
}

/** Returns the steps of a local `$ref`; empty for the document itself, `undefined` for an outside reference. */
export function pointerTokens(ref: string): readonly string[] | undefined {
  if (ref === '#') return [];
  return ref.startsWith('#/') ? ref.slice(2).split('/').map(unescape) : undefined;
}

function unescape(token: string): string {
  const plain = token.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
