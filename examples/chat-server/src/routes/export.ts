import { Hono } from 'hono';
import { z } from 'zod';
import { check } from '../chat/check-request.js';
import { leafOf } from '../chat/session-leaf.js';
import { chatAsMarkdown } from '../export/chat-as-markdown.js';
import { attachment, fileNameOf } from '../export/file-name.js';
import { checkId } from '../store/ids.js';
import { MessageTree } from '../store/tree.js';
import type { SessionFile, StoredMessage } from '../types.js';
import type { ChatRoutesOptions } from './chat.js';

const EXPORT = z.strictObject({ format: z.enum(['markdown', 'json']) });

/** A chat as a file. */
export function exportRoutes({ sessions, messages }: Pick<ChatRoutesOptions, 'sessions' | 'messages'>): Hono {
  const app = new Hono();
  app.get('/api/sessions/:id/export', async ({ req }) => {
    const session = await sessions.get(checkId(req.param('id')));
    const { format } = check(EXPORT, req.query());
    const all = await messages.all(session.id);
    const isJson = format === 'json';
    return new Response(isJson ? asJson(session, all) : asMarkdown(session, all), {
      headers: {
        'content-type': isJson ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8',
        'content-disposition': attachment(fileNameOf(session.title, isJson ? 'json' : 'md')),
      },
    });
  });
  return app;
}

function asMarkdown(session: SessionFile, all: readonly StoredMessage[]): string {
  const tree = new MessageTree(all);
  return chatAsMarkdown(session, tree.pathTo(leafOf(session, tree)));
}

/** With every branch, and without what was granted: that is of this server alone. */
function asJson(session: SessionFile, messages: readonly StoredMessage[]): string {
  return `${JSON.stringify({ ...session, grants: undefined, messages }, undefined, 2)}\n`;
}
