import { z } from 'zod';

/** What is being done, for the person who watches. A model that forgets it is not worth a failed call. */
export const actionName = z
  .string()
  .max(200)
  .optional()
  .describe('Always give it: what you are doing, in a few words, for the person who reads along.');
