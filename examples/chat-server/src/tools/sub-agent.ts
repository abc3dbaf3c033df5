import { z } from 'zod';
import { actionName } from './action-name.js';
import { defineTool, type ToolDef, type ToolOutput, type ToolRun } from './tool-def.js';

const inputSchema = z.object({
  actionName,
  agent: z
    .string()
    .min(1)
    .max(64)
    .describe(
      '"shell" for commands, "document" for writing, "browser" for work on web pages, "dynamic" for one with the tools that you list, or "default".',
    ),
  task: z.string().min(1).max(20_000).describe('Everything it has to know: it does not see this conversation.'),
  model: z.string().min(1).max(200).optional().describe('The id of another model, only if the person asks for it.'),
  tools: z.array(z.string().min(1).max(128)).max(64).optional().describe('Names of the only tools that it may use.'),
});

export type SubAgentRequest = z.infer<typeof inputSchema>;

/** As a call that is stored has it; `undefined`, if it is no request. */
export function readSubAgentRequest(input: unknown): SubAgentRequest | undefined {
  return inputSchema.safeParse(input).data;
}

/** Runs a sub-agent to its end. */
export type RunSubAgent = (request: SubAgentRequest, run: ToolRun) => Promise<ToolOutput>;

export function subAgentTool(runSubAgent: RunSubAgent): ToolDef {
  return defineTool({
    id: 'subAgent',
    description:
      'Hands a task to another agent, waits for it, and gets a summary. It uses at most the tools that you have.',
    inputSchema,
    execute: runSubAgent,
  });
}
