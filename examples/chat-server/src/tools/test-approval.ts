import { z } from 'zod';

import { actionName } from './action-name.js';
import { defineTool } from './tool-def.js';

/** Changes nothing: it is there to try out approvals. */
export const testApproval = defineTool({
  id: 'testApproval',
  description: 'Does nothing but ask the person for approval.',
  inputSchema: z.object({ actionName, note: z.string().max(4000).describe('What to say once it is approved.') }),
  judge: () => ({ decision: 'ask', reason: 'it always asks', grant: { kind: 'tool', tool: 'testApproval' } }),
  execute: async ({ note }) => ({ ok: true, note }),
});
