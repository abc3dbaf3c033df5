import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { describeGrant, type GrantStore } from '../approval/grants.js';
import { HttpError } from '../errors.js';
import { checkId } from '../store/ids.js';
import type { SessionStore } from '../store/session-store.js';
import type { Grant } from '../types.js';

export interface GrantRoutesOptions {
  readonly sessions: SessionStore;
  readonly grants: GrantStore;
}

/** What is always allowed in a chat, and how it is taken back. */
export function grantRoutes({ sessions, grants }: GrantRoutesOptions): Hono {
  const app = new Hono();
  app.get('/api/sessions/:id/grants', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    return Response.json((await grants.list(id)).map((grant) => ({ ...grant, id: grantId(grant) })));
  });
  app.delete('/api/sessions/:id/grants/:grantId', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    const found = (await grants.list(id)).find((grant) => grantId(grant) === req.param('grantId'));
    if (found === undefined) {
      throw new HttpError(404, 'no_such_grant', 'This permission does not exist in this chat, or was already revoked.');
    }
    await grants.remove(id, [found]);
    return new Response(null, { status: 204 });
  });
  return app;
}

/** Different grants read differently, so they have different ids. */
function grantId(grant: Grant): string {
  return createHash('sha256').update(describeGrant(grant)).digest('hex').slice(0, 32);
}
