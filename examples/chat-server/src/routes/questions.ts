import { Hono } from 'hono';
import { z } from 'zod';
import { alreadyAnswered } from '../chat/answer-approvals.js';
import { check } from '../chat/check-request.js';
import { HttpError } from '../errors.js';
import { checkId } from '../store/ids.js';
import type { SessionStore } from '../store/session-store.js';
import type { ToolRuntime } from '../tools/runtime.js';
import { readJson } from './body.js';

const ANSWER = z.strictObject({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.unknown()).optional(),
});

export interface QuestionRoutesOptions {
  readonly sessions: SessionStore;
  readonly runtime: Pick<ToolRuntime, 'questions'>;
}

/** Questions of MCP servers that wait in a chat, and their answers. */
export function questionRoutes({ sessions, runtime: { questions } }: QuestionRoutesOptions): Hono {
  const app = new Hono();
  app.get('/api/sessions/:id/questions', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    return Response.json(questions.list(id));
  });
  app.post('/api/sessions/:id/questions/:questionId', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    const questionId = checkId(req.param('questionId'), 'questionId');
    const outcome = await questions.answer(id, questionId, check(ANSWER, await readJson(req.raw)));
    if (outcome.is === 'answered before') throw alreadyAnswered('It was answered before, or its time was over.');
    if (outcome.is === 'unknown') {
      throw new HttpError(404, 'no_such_question', 'No MCP server waits for this answer in this chat.');
    }
    if (outcome.is === 'answered') return Response.json({ result: 'answered' });
    const message = 'Some values do not fit; the question is still open.';
    return Response.json({ error: { code: 'bad_answer', message, fields: outcome.problems } }, { status: 422 });
  });
  return app;
}
