import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { POST } from '../app/api/chat/route';

const PAGE = 'node_modules/.cache/page';

export const app = new Hono().post('/api/chat', (context) => POST(context.req.raw)).use(serveStatic({ root: PAGE }));
