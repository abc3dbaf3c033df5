import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { z } from 'zod';
import { CAPABILITY_GROUPS, toolsOf } from '../tools/capability-groups.js';

/** `agent.json` and `prompt.md` of a folder of templates. */
export interface AgentTemplate {
  /** The name of the folder. */
  readonly id: string;
  readonly title: string;
  /** Other names by which a model may ask for it. */
  readonly aliases: readonly string[];
  /** Ids, all of its groups and its own. */
  readonly tools: readonly string[];
  /** Whether it may use the tools of MCP servers. */
  readonly mcp: boolean;
  readonly prompt: string;
}

export type Templates = ReadonlyMap<string, AgentTemplate>;

const MAX_PROMPT_CHARS = 8000;
const BUILT_IN = fileURLToPath(new URL('templates', import.meta.url));

const AGENT_JSON = z.strictObject({
  title: z.string().min(1),
  aliases: z.array(z.string().min(1)).default([]),
  groups: z.array(z.string()).default([]),
  tools: z.array(z.string()).default([]),
  mcp: z.boolean().default(false),
});

/**
 * At the start, so that a template that cannot work is found before a model asks for it.
 *
 * @throws SettingsError that names the template.
 */
export function loadTemplates(folder = BUILT_IN, groups = CAPABILITY_GROUPS): Templates {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const templates = new Map(names.map(({ name }) => [name, loadTemplate(folder, name, groups)]));
  if (!templates.has('master')) throw new SettingsError('There is no template "master".');
  return templates;
}

function loadTemplate(folder: string, id: string, groups: typeof CAPABILITY_GROUPS): AgentTemplate {
  const wrong = (problem: string): SettingsError => new SettingsError(`The template "${id}" ${problem}.`);
  const settings = AGENT_JSON.safeParse(readJson(join(folder, id, 'agent.json'), wrong));
  if (!settings.success) throw wrong(`has an agent.json that is wrong: ${z.prettifyError(settings.error)}`);
  const unknown = settings.data.groups.find((group) => !Object.hasOwn(groups, group));
  if (unknown !== undefined) throw wrong(`names the group "${unknown}", which does not exist`);
  const known = new Set(Object.values(groups).flat());
  const unknownTool = settings.data.tools.find((tool) => !known.has(tool));
  if (unknownTool !== undefined) throw wrong(`names the tool "${unknownTool}", which does not exist`);
  const prompt = readText(join(folder, id, 'prompt.md'), wrong).trim();
  if (prompt.length > MAX_PROMPT_CHARS) {
    throw wrong(`has a prompt of ${prompt.length} characters; ${MAX_PROMPT_CHARS} are allowed`);
  }
  const { groups: ownGroups, tools, ...rest } = settings.data;
  return { id, prompt, ...rest, tools: [...new Set([...toolsOf(ownGroups, groups), ...tools])] };
}

function readJson(path: string, wrong: (problem: string) => Error): unknown {
  try {
    return JSON.parse(readText(path, wrong));
  } catch (error) {
    throw error instanceof SyntaxError ? wrong('has an agent.json that is not JSON') : error;
  }
}

function readText(path: string, wrong: (problem: string) => Error): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw wrong(`has no ${path.slice(path.lastIndexOf('/') + 1)} that can be read`);
  }
}
