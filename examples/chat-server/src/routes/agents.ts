import { Hono } from 'hono';
import { HttpError } from '../errors.js';
import { checkId } from '../store/ids.js';
import type { MessageStore } from '../store/message-store.js';
import type { SessionStore } from '../store/session-store.js';
import type { ToolRuntime } from '../tools/runtime.js';

export interface AgentRoutesOptions {
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly runtime: { readonly agents: Pick<ToolRuntime['agents'], 'isRunning'> };
}

/** Sub-agents of a chat and what they said. */
export function agentRoutes({ sessions, messages, runtime }: AgentRoutesOptions): Hono {
  const app = new Hono();
  app.get('/api/sessions/:id/agents', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    const ids = await messages.listAgentIds(id);
    const files = await Promise.all(ids.map((agentId) => messages.readAgentSessionJson(id, agentId)));
    const agents = files
      .filter((file) => file !== undefined)
      .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
      .map(({ id: agentId, title, agentType, task, state }) => {
        // A server that was ended could not say so.
        const isLost = state === 'running' && !runtime.agents.isRunning(id, agentId);
        return { agentId, title, agentType, task, state: isLost ? 'interrupted' : state };
      });
    return Response.json(agents);
  });
  app.get('/api/sessions/:id/agents/:agentId/messages', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    const agentId = checkId(req.param('agentId'), 'agentId');
    if (!(await messages.listAgentIds(id)).includes(agentId)) {
      throw new HttpError(404, 'no_such_agent', `Sub-agent "${agentId}" not found in this chat.`);
    }
    return Response.json(await messages.agentMessages(id, agentId));
  });
  return app;
}
