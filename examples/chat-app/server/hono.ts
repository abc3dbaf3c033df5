import { Hono } from 'hono';
import { POST } from '../app/api/chat/route';

export const app = new Hono().post('/api/chat', (context) => POST(context.req.raw));
