import { z } from 'zod';
import { LIMITS } from '../engine/limits.js';
import type { CodingTool } from '../tools/context.js';
import type { SubAgents } from './sub-agents.js';

const INPUT = z.object({
  task: z
    .string()
    .min(1)
    .describe('What to find out, with all that is needed to know: it sees nothing of this conversation.'),
});

export function exploreTool(agents: SubAgents): CodingTool<typeof INPUT> {
  return {
    name: 'explore',
    description:
      'Has a second agent read files and search, and gives back its answer. Use it for questions that need many files, several at once if they do not depend on each other; not for what one or two calls of your own would find.',
    inputSchema: INPUT,
    readOnly: true,
    title: ({ task }) => `Explore: ${task.split('\n')[0] ?? ''}`,
    // It may wait for its turn, and for a person.
    timeoutMs: LIMITS.subAgentMs * 4,
    execute: ({ task }, { callId, signal }) => agents.explore(task, callId, signal),
  };
}
