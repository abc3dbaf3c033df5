import { z } from 'zod';
import { actionName } from './action-name.js';
import { defineTool } from './tool-def.js';

const item = z.object({
  text: z.string().min(1).max(500),
  state: z.enum(['pending', 'in_progress', 'completed']),
});

export const updatePlan = defineTool({
  id: 'updatePlan',
  description:
    'Shows the person the plan of a task with several steps. Give all steps each time; at most one of them is in progress.',
  inputSchema: z.object({ actionName, items: z.array(item).max(50) }),
  execute: async ({ items }) => ({ ok: true, items }),
});
