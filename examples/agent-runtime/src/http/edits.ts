import type { Hono } from 'hono';
import { durationOf } from '../core/duration.js';
import type { Agent } from '../types/index.js';
import { check, FORK, PRUNE, readJson } from './body.js';
import { type RequestScope, sessionOf } from './session-of.js';
import { viewOfMessage, viewOfSession } from './views.js';

/** What changes sessions without a message. */
export function addEdits(app: Hono<{ Bindings: RequestScope }>, agent: Agent): void {
  app.post('/sessions/prune', async ({ req }) => {
    const { olderThan, keep, dryRun } = check(PRUNE, await readJson(req.raw));
    const olderThanMs = olderThan === undefined ? undefined : durationOf(olderThan);
    return Response.json(await agent.prune({ olderThanMs, keep, isDryRun: dryRun }));
  });
  app.post('/sessions/:id/compact', async (context) => {
    const session = await sessionOf(agent, context);
    return Response.json({ compaction: await session.compact({ signal: context.env.signal }) });
  });
  app.post('/sessions/:id/pop', async (context) => {
    const session = await sessionOf(agent, context);
    return Response.json({ items: (await session.pop()).map(viewOfMessage) });
  });
  app.post('/sessions/:id/fork', async (context) => {
    const { turn, title } = check(FORK, await readJson(context.req.raw));
    const { id } = await sessionOf(agent, context);
    return Response.json(viewOfSession(await agent.forkSession(id, { turn, summary: title })), { status: 201 });
  });
}
