import { serve } from '@hono/node-server';
import { app } from './hono';

const server = serve(
  { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) },
  ({ port }) => {
    console.log(`The chat is at http://localhost:${port}`);
  },
);
process.once('SIGINT', () => server.close()).once('SIGTERM', () => server.close());
