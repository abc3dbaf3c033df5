import { z } from 'zod';
import { CODER_EVENT } from './events.js';
import { SUBMISSION } from './submissions.js';

/** Both directions of the protocol as JSON schema, for programs in other languages. */
export function protocolSchema(): { readonly submission: unknown; readonly event: unknown } {
  return { submission: z.toJSONSchema(SUBMISSION), event: z.toJSONSchema(CODER_EVENT) };
}
