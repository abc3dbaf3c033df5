import { Hono } from 'hono';
import { z } from 'zod';
import { alreadyAnswered } from '../chat/answer-approvals.js';
import { check } from '../chat/check-request.js';
import { HttpError } from '../errors.js';
import { checkId } from '../store/ids.js';
import type { SessionStore } from '../store/session-store.js';
import type { ToolRuntime } from '../tools/runtime.js';
import { readJson } from './body.js';

const ANSWER = z.strictObject({ approved: z.boolean(), reason: z.string().max(2_000).optional() });
const MAX_CALL_ID = 300;

/** Answers to what sub-agents ask while their stream runs, and apps while their call waits. */
export function approvalRoutes({
  sessions,
  runtime,
}: {
  sessions: SessionStore;
  runtime: Pick<ToolRuntime, 'pending'>;
}): Hono {
  const app = new Hono();
  app.post('/api/sessions/:id/approvals/:toolCallId', async ({ req }) => {
    const id = checkId(req.param('id'));
    const toolCallId = req.param('toolCallId');
    const answer = check(ANSWER, await readJson(req.raw));
    await sessions.get(id);
    // Of a model's making, and no path: it is looked up in memory.
    const outcome = toolCallId.length > MAX_CALL_ID ? 'unknown' : runtime.pending.answer(id, toolCallId, answer);
    if (outcome === 'unknown') {
      throw new HttpError(
        404,
        'no_such_approval',
        'No sub-agent or app of this chat waits for this answer, and no sub-agent is running.',
      );
    }
    if (outcome === 'already_answered') throw alreadyAnswered('This question was answered before.');
    return Response.json({ result: outcome }, { status: outcome === 'early' ? 202 : 200 });
  });
  return app;
}
