import { Hono } from 'hono';
import { type AgentService, noSuchAgent } from '../chat/agent-service.js';
import { checkId } from '../store/ids.js';
import type { MessageStore } from '../store/message-store.js';
import type { SessionStore } from '../store/session-store.js';

export interface AgentRoutesOptions {
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly agentService: AgentService;
}

/** Sub-agents of a chat and what they said. */
export function agentRoutes({ sessions, messages, agentService }: AgentRoutesOptions): Hono {
  const app = new Hono();
  app.get('/api/sessions/:id/agents', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    return Response.json(await agentService.list(id));
  });
  app.post('/api/sessions/:id/agents/:agentId/continue', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    await agentService.continue(id, checkId(req.param('agentId'), 'agentId'));
    return Response.json({ result: 'resumed' }, { status: 202 });
  });
  app.get('/api/sessions/:id/agents/:agentId/messages', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    const agentId = checkId(req.param('agentId'), 'agentId');
    if (!(await messages.listAgentIds(id)).includes(agentId)) throw noSuchAgent(agentId);
    return Response.json(await messages.agentMessages(id, agentId));
  });
  return app;
}
