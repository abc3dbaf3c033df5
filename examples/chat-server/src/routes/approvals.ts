import { Hono } from 'hono';
import { z } from 'zod';
import type { AgentService } from '../chat/agent-service.js';
import { check } from '../chat/check-request.js';
import { HttpError } from '../errors.js';
import { checkId } from '../store/ids.js';
import type { SessionStore } from '../store/session-store.js';
import { readJson } from './body.js';

const ANSWER = z.strictObject({
  approved: z.boolean(),
  reason: z.string().max(2_000).optional(),
  always: z.boolean().optional(),
});
const MAX_CALL_ID = 300;

/** Answers to what sub-agents ask, while their turn runs and later, and apps while their call waits. */
export function approvalRoutes({
  sessions,
  agentService,
}: {
  sessions: SessionStore;
  agentService: AgentService;
}): Hono {
  const app = new Hono();
  app.post('/api/sessions/:id/approvals/:toolCallId', async ({ req }) => {
    const id = checkId(req.param('id'));
    const toolCallId = req.param('toolCallId');
    const answer = check(ANSWER, await readJson(req.raw));
    await sessions.get(id);
    // Of a model's making, and no path.
    if (toolCallId.length > MAX_CALL_ID) throw new HttpError(404, 'no_such_approval', 'No call has such a long id.');
    const outcome = await agentService.answer(id, toolCallId, answer);
    if (typeof outcome !== 'string') return Response.json(outcome, { status: 202 });
    return Response.json({ result: outcome }, { status: outcome === 'early' ? 202 : 200 });
  });
  return app;
}
