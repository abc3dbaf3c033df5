import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * The beginning of a file of a folder that is not trusted; `undefined` if there is none. A link could lead to any file of
 * the user, and a pipe would be waited for.
 */
export function readWithin(path: string, root: string, maxBytes: number): Buffer | undefined {
  try {
    const real = realpathSync(path);
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined;
    if (!statSync(real).isFile()) return undefined;
    return readFirst(real, maxBytes);
  } catch {
    return undefined;
  }
}

function readFirst(path: string, bytes: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, readSync(file, buffer, 0, bytes, 0));
  } finally {
    closeSync(file);
  }
}
