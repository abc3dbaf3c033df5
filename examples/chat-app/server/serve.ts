import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { app } from './hono';

// Where `build-page.ts` has built the page.
app.use(serveStatic({ root: 'node_modules/.cache/page' }));

const server = serve(
  { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) },
  ({ port }) => {
    console.log(`The chat is at http://localhost:${port}`);
  },
);
process.once('SIGINT', () => server.close()).once('SIGTERM', () => server.close());
