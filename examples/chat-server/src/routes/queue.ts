import { Hono } from 'hono';
import { z } from 'zod';
import { check } from '../chat/check-request.js';
import type { QueueService } from '../queue/queue-service.js';
import { checkId } from '../store/ids.js';
import { readJson } from './body.js';

const EDIT = z.strictObject({ text: z.string().trim().min(1, 'there is nothing in it') });

export interface QueueRoutesOptions {
  readonly queue: QueueService;
}

/** Messages that wait in a chat, one by one. `GET /api/sessions/:id` lists them, `POST /api/chat` adds one. */
export function queueRoutes({ queue }: QueueRoutesOptions): Hono {
  const app = new Hono();
  app.patch('/api/sessions/:id/queue/:messageId', async ({ req }) => {
    const { text } = check(EDIT, await readJson(req.raw));
    const items = await queue.edit(checkId(req.param('id')), checkId(req.param('messageId'), 'messageId'), text);
    return Response.json({ items });
  });
  app.delete('/api/sessions/:id/queue/:messageId', async ({ req }) => {
    await queue.remove(checkId(req.param('id')), checkId(req.param('messageId'), 'messageId'));
    return new Response(null, { status: 204 });
  });
  app.post('/api/sessions/:id/queue/:messageId/send', async ({ req }) => {
    const result = await queue.sendNow(checkId(req.param('id')), checkId(req.param('messageId'), 'messageId'));
    return Response.json({ result }, { status: 202 });
  });
  return app;
}
