import { Hono } from 'hono';
import type { Owners } from 'responses-loop-example-shared/engine/owners.js';
import { errorAnswer, HttpError, toHttpError } from './errors.js';
import { bodyGuard, type GuardOptions, originGuard, tokenGuard } from './guard.js';
import { addOwnerGuard } from './owners/owner-guard.js';
import { agentRoutes, type AgentRoutesOptions } from './routes/agents.js';
import { approvalRoutes } from './routes/approvals.js';
import { appRoutes, type AppRoutesOptions } from './routes/apps.js';
import { type CatalogRoutesOptions, catalogRoutes } from './routes/catalog.js';
import { chatRoutes, type ChatRoutesOptions } from './routes/chat.js';
import { exportRoutes } from './routes/export.js';
import { grantRoutes, type GrantRoutesOptions } from './routes/grants.js';
import { pictureRoutes, type PictureRoutesOptions } from './routes/pictures.js';
import { questionRoutes } from './routes/questions.js';
import { queueRoutes } from './routes/queue.js';
import { searchRoutes, type SearchRoutesOptions } from './routes/search.js';
import { sessionRoutes } from './routes/sessions.js';
import { signInRoutes, type SignInRoutesOptions } from './routes/sign-ins.js';
import type { ToolRuntime } from './tools/runtime.js';

export interface ServerOptions
  extends
    ChatRoutesOptions,
    Pick<AgentRoutesOptions, 'agentService'>,
    Omit<CatalogRoutesOptions, 'runtime'>,
    Pick<GrantRoutesOptions, 'grants'>,
    PictureRoutesOptions,
    SearchRoutesOptions,
    Omit<AppRoutesOptions, 'opened'>,
    SignInRoutesOptions {
  readonly opened: SignInRoutesOptions['opened'] & AppRoutesOptions['opened'];
  readonly runtime: ToolRuntime;
  readonly guard: GuardOptions;
  readonly version: string;
  readonly page: Hono;
  /** Of several servers, which has which chat. Absent: this one has all. */
  readonly owners?: Owners | undefined;
  /** Takes what is no fault of the client. */
  readonly onError: (error: unknown) => void;
}

/** Everything over HTTP. */
export function createApp(options: ServerOptions): Hono {
  const { guard, version, page, onError, owners } = options;
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    const { headers } = context.res;
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', 'no-referrer');
    if (context.req.path.startsWith('/api')) headers.set('cache-control', 'no-store');
  });
  app.use(originGuard(guard), tokenGuard(guard), bodyGuard());
  // A load balancer sends no requests to a server that answers 503.
  app.get('/api/health', () => {
    const { isReady: ok } = options.keeper;
    return Response.json({ ok, version }, { status: ok ? 200 : 503 });
  });
  if (owners !== undefined) addOwnerGuard(app, owners);
  const rooms = [
    ...[chatRoutes, sessionRoutes, grantRoutes, exportRoutes, searchRoutes, pictureRoutes],
    ...[queueRoutes, appRoutes, approvalRoutes, questionRoutes],
    ...[agentRoutes, catalogRoutes, signInRoutes],
  ];
  for (const room of rooms) app.route('/', room(options));
  app.route('/', page);
  app.notFound(() => errorAnswer(new HttpError(404, 'not_found', 'Not found.')));
  app.onError((error) => {
    if (toHttpError(error) !== error) onError(error);
    const answer = errorAnswer(error);
    // The rest of a body that is too large is not read: the connection cannot be used again.
    if (answer.status === 413) answer.headers.set('connection', 'close');
    return answer;
  });
  return app;
}
