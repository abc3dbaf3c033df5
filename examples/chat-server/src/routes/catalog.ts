import { Hono } from 'hono';
import type { ModelRegistry } from '../models/registry.js';
import type { McpTool, ToolRuntime } from '../tools/runtime.js';

export interface CatalogRoutesOptions {
  readonly models: ModelRegistry;
  readonly runtime: Pick<ToolRuntime, 'registry' | 'listSkills'>;
  readonly listMcpTools: () => Promise<readonly McpTool[]>;
}

/** What there is to choose from. Neither keys nor addresses of servers. */
export function catalogRoutes({ models, runtime, listMcpTools }: CatalogRoutesOptions): Hono {
  const app = new Hono();
  app.get('/api/models', () => Response.json(models.list()));
  app.get('/api/tools', async () => {
    const mcp = (await listMcpTools()).map(({ name, source, description }) => ({ id: name, description, source }));
    const own = [...runtime.registry.descriptions].map(([id, description]) => ({ id, description, source: 'app' }));
    return Response.json([...own, ...mcp]);
  });
  app.get('/api/skills', async () => {
    const skills = await runtime.listSkills();
    return Response.json(skills.map(({ name, description }) => ({ name, description })));
  });
  return app;
}
