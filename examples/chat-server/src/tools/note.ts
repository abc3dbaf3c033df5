import { z } from 'zod';
import { defineTool } from './tool-def.js';

/** A plain text as input: the registry wraps it for the wire. */
export const note = defineTool({
  id: 'note',
  description: 'Notes down one sentence, so that it stands out in the conversation.',
  inputSchema: z.string().min(1).max(4000),
  execute: async (text) => ({ ok: true, note: text }),
});
