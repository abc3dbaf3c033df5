import { z } from 'zod';

/** A command of the user behind each edit of the files that fit. */
export const HOOK = z.strictObject({
  /** A pattern: `*.ts` fits in any folder, `src/**` from the workspace on. */
  files: z.string().min(1),
  /** For bash. `$FILE` is the path of the file. */
  run: z.string().min(1),
  timeoutMs: z.int().min(1).max(600_000).optional(),
});
