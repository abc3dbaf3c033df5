import { Hono } from 'hono';
import { z } from 'zod';
import { check } from '../chat/check-request.js';
import type { ChatTexts } from '../search/chat-texts.js';
import { searchChats } from '../search/search-chats.js';
import type { ChatRoutesOptions } from './chat.js';

export interface SearchRoutesOptions extends Pick<ChatRoutesOptions, 'sessions'> {
  readonly texts: ChatTexts;
}

const MAX_FOUND = 30;
const SEARCH = z.strictObject({ q: z.string().trim().min(1, 'has to have a word').max(200) });

/** Chats by what was said in them, archived ones too. */
export function searchRoutes({ sessions, texts }: SearchRoutesOptions): Hono {
  const app = new Hono();
  app.get('/api/search', async ({ req }) => {
    const { q } = check(SEARCH, req.query());
    const found = await searchChats(q, await sessions.list(), texts);
    const items = found.slice(0, MAX_FOUND).map(({ session, excerpt }) => {
      const { id, title, updatedAt, isArchived = false } = session;
      return { id, title, updatedAt, isArchived, excerpt };
    });
    return Response.json({ items, total: found.length });
  });
  return app;
}
