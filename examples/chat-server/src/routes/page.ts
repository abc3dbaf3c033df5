import { Hono } from 'hono';
import { buildPage, type BuildPageOptions } from '../page/build-page.js';
import { type PageFile, readPageFiles } from '../page/page-files.js';
import { SECURITY_HEADERS } from '../page/security-headers.js';

/** Serves the page at `/` and `/c/SESSION`, and its files. It holds no secret and needs no token; what it asks for does. */
export async function createPageRoutes(options: BuildPageOptions = {}): Promise<Hono> {
  const files = readPageFiles(await buildPage(options));
  const routes = new Hono();
  routes.get('/', ({ req }) => answer(files.get('/'), req.raw));
  routes.get('/c/:id', ({ req }) => answer(files.get('/'), req.raw));
  routes.get('/theme.js', ({ req }) => answer(files.get('/theme.js'), req.raw));
  routes.get('/assets/:name', ({ req }) => answer(files.get(new URL(req.url).pathname), req.raw));
  return routes;
}

function answer(file: PageFile | undefined, request: Request): Response {
  if (file === undefined) return new Response('File not found.', { status: 404, headers: SECURITY_HEADERS });
  const isZipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  const headers = {
    ...SECURITY_HEADERS,
    'content-type': file.type,
    'cache-control': file.isLasting ? 'private, max-age=31536000, immutable' : 'no-store',
    vary: 'accept-encoding',
    ...(isZipped && { 'content-encoding': 'gzip' }),
  };
  return new Response(isZipped ? file.gzip : file.body, { headers });
}
