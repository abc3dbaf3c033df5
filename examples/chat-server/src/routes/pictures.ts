import { Hono } from 'hono';
import { errorAnswer, HttpError } from '../errors.js';
import type { PictureStore } from '../pictures/picture-store.js';
import { checkId } from '../store/ids.js';
import type { ChatRoutesOptions } from './chat.js';

export interface PictureRoutesOptions extends Pick<ChatRoutesOptions, 'sessions'> {
  readonly pictures: PictureStore;
}

/** A drawing that is opened by its address has neither scripts nor an origin. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Pictures that tools made or read. */
export function pictureRoutes({ sessions, pictures }: PictureRoutesOptions): Hono {
  const app = new Hono();
  app.get('/api/sessions/:id/pictures/:name', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    const found = await pictures.read(id, req.param('name'));
    if (found === undefined) return errorAnswer(new HttpError(404, 'no_such_picture', 'Picture not found.'));
    const { mediaType, content } = found;
    return new Response(content, {
      headers: { 'content-type': mediaType, 'content-security-policy': POLICY, 'content-disposition': 'inline' },
    });
  });
  return app;
}
