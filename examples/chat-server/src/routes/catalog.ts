import { Hono } from 'hono';
import type { ModelRegistry } from '../models/registry.js';
import type { McpTool, ToolRuntime } from '../tools/runtime.js';
import type { SwitchedOff } from '../types.js';

/** What a person has to know before the first message. */
export interface About {
  /** The workspace, with `~` for the home folder. */
  readonly folder: string;
  /** Commands run in a sandbox. */
  readonly isSandboxed: boolean;
  /** The id of the model that answers by default. */
  readonly model: string;
  /** The demo model answers. */
  readonly isDemo: boolean;
}

export interface CatalogRoutesOptions {
  readonly about: About;
  readonly models: ModelRegistry;
  readonly runtime: Pick<ToolRuntime, 'registry' | 'listSkills'>;
  readonly listMcpTools: () => Promise<readonly McpTool[]>;
}

/** What there is to choose from. Neither keys nor addresses of servers. */
export function catalogRoutes({ about, models, runtime, listMcpTools }: CatalogRoutesOptions): Hono {
  const app = new Hono();
  app.get('/api/about', () => Response.json(about));
  app.get('/api/models', async () => Response.json(await models.list()));
  app.get('/api/providers', async () => Response.json(await models.providers()));
  app.get('/api/tools', async () => {
    const mcp = (await listMcpTools()).map(({ name, source, originalName, description }) => ({
      id: name,
      description,
      source,
      // What it is switched off by.
      tool: { kind: 'mcp', server: source, tool: originalName } satisfies SwitchedOff,
    }));
    const own = [...runtime.registry.descriptions].map(([id, description]) => ({
      id,
      description,
      source: 'app',
      tool: { kind: 'tool', tool: id } satisfies SwitchedOff,
      missing: runtime.registry.missing.get(id),
    }));
    return Response.json([...own, ...mcp]);
  });
  app.get('/api/skills', async () => {
    const skills = await runtime.listSkills();
    return Response.json(skills.map(({ name, description }) => ({ name, description })));
  });
  return app;
}
