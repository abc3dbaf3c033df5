import { z } from 'zod';
import type { CodingTool } from '../tools/context.js';
import type { Plans } from './plans.js';

const INPUT = z.object({ plan: z.string().min(1).describe('The whole plan, in Markdown.') });

/** Ends the reading: the person answers before this tool runs. */
export function presentPlan(plans: Plans): CodingTool<typeof INPUT> {
  return {
    name: 'present_plan',
    description:
      'Presents a plan to the person, who approves, changes or rejects it. Call it when you were asked for a plan and have read enough; never otherwise.',
    inputSchema: INPUT,
    readOnly: false,
    title: () => 'Plan',
    execute: async (_input, { callId }) => plans.takeOutcome(callId),
  };
}
