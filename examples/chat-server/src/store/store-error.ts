/** What was said could not be kept. Its message names no file: it is shown to a person. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(cause: unknown) {
    super(`The chat could not be saved: ${reasonOf(cause)}.`, { cause });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EFBIG: 'the file has reached the largest size that is allowed',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the folder is read-only',
  EACCES: 'the folder may not be written to',
  EPERM: 'the folder may not be written to',
  ENOENT: 'the chat was deleted',
  EMFILE: 'too many files are open',
};

function reasonOf(cause: unknown): string {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
  return typeof code === 'string' ? (REASONS[code] ?? `the system reported ${code}`) : 'the disk did not take it';
}
