import type { PathGuard } from 'responses-loop-example-shared/path-guard.js';
import type { AgentTemplate } from '../agents/load-templates.js';
import type { ToolRegistry } from '../tools/registry.js';
import { createToolRepair } from '../tools/tool-repair.js';
import type { SessionFile } from '../types.js';
import type { ChatAgent } from './orchestrator.js';
import { buildSystemPrompt, skillText } from './preface.js';
import { listSkills, readSkill } from './skill-selector.js';

export interface MasterOptions {
  readonly template: AgentTemplate;
  readonly tools: ToolRegistry;
  readonly workspace: string;
  readonly guard: PathGuard;
  readonly listMcpTools: () => Promise<readonly string[]>;
}

/** The agent that a person talks to, made anew for each turn: skills and MCP tools may be others by then. */
export function masterAgent({ template, tools, workspace, guard, listMcpTools }: MasterOptions) {
  return async (session: SessionFile, skillNames: readonly string[]): Promise<ChatAgent> => {
    const [skills, mcpTools] = await Promise.all([listSkills(workspace, guard), listMcpTools()]);
    const texts = await Promise.all(skillNames.map(async (name) => [name, await readSkill(name, workspace, guard)] as const));
    const textOf = new Map(texts);
    return {
      instructions: buildSystemPrompt({
        template: template.prompt,
        now: new Date(),
        workspace,
        tools: [...template.tools, ...(template.mcp ? mcpTools : [])],
        skills,
        instructions: session.instructions,
      }),
      tools: tools.buildToolset(template.tools, 'stream'),
      repair: createToolRepair(),
      skillText: (name) => skillText(name, textOf.get(name) ?? 'It is not there any more.'),
    };
  };
}
