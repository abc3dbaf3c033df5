/** What was said could not be kept. Its message names no file: it is shown to a person. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(cause: unknown, attempt: 'saved' | 'read' = 'saved') {
    super(`The chat could not be ${attempt}: ${reasonOf(cause)}.`, { cause });
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
  ENOTOWNER: 'another server has this chat now',
  EMFILE: 'too many files are open',
  ...Object.fromEntries(
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'].map(
      (code) => [code, 'the database cannot be reached'],
    ),
  ),
  // Of Postgres.
  '53100': 'the disk of the database is full',
  '53300': 'the database has too many clients',
  '57014': 'the database took too long',
  '57P01': 'the database was ended',
  '57P03': 'the database is still starting',
  '25006': 'the database is read-only',
};

function reasonOf(cause: unknown): string {
  const code: unknown = cause instanceof Error ? Reflect.get(cause, 'code') : undefined;
  return typeof code === 'string' ? (REASONS[code] ?? `the system reported ${code}`) : 'the disk did not take it';
}
