import { Hono, type MiddlewareHandler } from 'hono';
import { jsonGuard, tokenGuard } from 'responses-loop-example-shared/loopback-guard.js';
import type { Agent, Session, Turn } from '../types/index.js';
import { ANSWERS, check, MESSAGE, MESSAGES_PAGE, NEW_SESSION, readJson, SESSIONS_PAGE } from './body.js';
import { collect } from './collect.js';
import { addEdits } from './edits.js';
import { errorAnswer, HttpError, toHttpError } from './errors.js';
import { type AppContext, type RequestScope, sessionOf } from './session-of.js';
import { eventStream } from './event-stream.js';
import { Turns } from './turns.js';
import { viewOfData, viewOfMessage, viewOfSession } from './views.js';

export interface HandlerOptions {
  /** Initialized. */
  readonly agent: Agent;
  /** Whether this instance takes turns now, for `/health`. Default: it does. */
  readonly isReady?: (() => boolean) | undefined;
  /** Their names, for `/health`. */
  readonly driver: string;
  readonly model: string;
  readonly token: string;
  /** What looks at each request first. */
  readonly guard?: MiddlewareHandler | undefined;
  /** Takes what is no fault of the client. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export type { RequestScope };

export type Handler = (request: Request, scope?: RequestScope) => Promise<Response>;

/** Sessions over HTTP, for Node and for Workers. */
export function createHandler(options: HandlerOptions): Handler {
  const { agent, driver, model, guard, isReady = () => true } = options;
  const turns = new Turns();
  const app = new Hono<{ Bindings: RequestScope }>();
  app.use(withHeaders);
  if (guard !== undefined) app.use(guard);
  app.get('/health', () => Response.json({ ok: isReady(), driver, model }, { status: isReady() ? 200 : 503 }));
  app.use(tokenGuard(options.token), jsonGuard());

  app.post('/sessions', async ({ req }) => {
    const { title, model: own, system } = check(NEW_SESSION, await readJson(req.raw));
    const session = await agent.createSession({ summary: title, model: own, systemPrompt: system });
    return Response.json(viewOfSession(session), { status: 201 });
  });
  app.get('/sessions', async ({ req }) => {
    const { items, total } = await agent.listSessions(check(SESSIONS_PAGE, req.query()));
    return Response.json({ items: items.map(viewOfData), total });
  });
  app.get('/sessions/:id', async (context) => Response.json(viewOfSession(await sessionOf(agent, context))));
  app.delete('/sessions/:id', async ({ req }) => {
    await agent.deleteSession(req.param('id'));
    return new Response(null, { status: 204 });
  });
  app.get('/sessions/:id/messages', async (context) => {
    const { after = 0, limit, latest } = check(MESSAGES_PAGE, context.req.query());
    const rows = (await sessionOf(agent, context)).getMessages(latest).filter(({ seq }) => seq > after);
    return Response.json({ items: rows.slice(0, limit).map(viewOfMessage) });
  });
  app.get('/sessions/:id/approvals', async (context) =>
    Response.json({ items: (await sessionOf(agent, context)).getApprovals() }),
  );
  app.post('/sessions/:id/approvals', async (context) => sendAnswers(context, agent, turns));
  app.post('/sessions/:id/messages', async (context) => sendMessage(context, agent, turns));
  app.get('/sessions/:id/events', async (context) => {
    const { currentTurn, endedTurn = null } = await sessionOf(agent, context);
    const seen = Number(context.req.header('last-event-id') ?? Number.NaN);
    // Whoever lost a connection may have missed the end of a turn.
    const turn = currentTurn ?? (Number.isInteger(seen) ? endedTurn : null);
    if (turn === null) return new Response(null, { status: 204 });
    const followed = turns.after(turn, Number.isInteger(seen) ? seen : 0);
    if (turn === currentTurn) return eventStream(followed);
    const first = await followed.events.next();
    return first.done === true ? new Response(null, { status: 204 }) : eventStream(followed, [first.value]);
  });
  addEdits(app, agent);
  for (const action of ['interrupt', 'abort', 'complete'] as const) {
    app.post(`/sessions/:id/${action}`, async (context) => {
      const session = await sessionOf(agent, context);
      await session[action]();
      return Response.json({ state: session.state }, { status: 202 });
    });
  }
  app.notFound(() => errorAnswer(new HttpError(404, 'not_found', 'There is nothing here.')));
  app.onError((error) => {
    if (toHttpError(error).status === 500) options.onError?.(error);
    return errorAnswer(error);
  });
  return async (request, scope = {}) => app.fetch(request, scope);
}

/** Answers of a program are not for browsers to keep or to guess about. */
const withHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  context.res.headers.set('cache-control', 'no-store');
  context.res.headers.set('x-content-type-options', 'nosniff');
};

async function sendMessage(context: AppContext, agent: Agent, turns: Turns): Promise<Response> {
  const { content, ...options } = check(MESSAGE, await readJson(context.req.raw));
  const session = await sessionOf(agent, context);
  return answerWith(context, turns, session, session.send(content, { ...options, signal: context.env.signal }));
}

async function sendAnswers(context: AppContext, agent: Agent, turns: Turns): Promise<Response> {
  const { answers } = check(ANSWERS, await readJson(context.req.raw));
  const session = await sessionOf(agent, context);
  return answerWith(context, turns, session, session.answer(answers, { signal: context.env.signal }));
}

/** The events of a turn, or with `Accept: application/json` one object. */
async function answerWith(context: AppContext, turns: Turns, session: Session, turn: Turn): Promise<Response> {
  const followed = turns.follow(turn);
  // A host may stop this process once its request is over: until then the rows have to be written.
  context.env.waitUntil?.(followed.then(() => session.flush?.()));
  const wanted = context.req.header('accept') ?? '';
  if (wanted.includes('application/json') && !wanted.includes('text/event-stream')) {
    const collected = await collect(turn);
    const approvals = session.getApprovals();
    return Response.json(approvals.length === 0 ? collected : { ...collected, approvals });
  }
  await begun(turn);
  return eventStream(turns.after(turn, 0));
}

/** A session that is busy or closed says so at once; a model may take its time. */
const REFUSAL_MS = 3_000;

async function begun(turn: Turn): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, REFUSAL_MS)));
  const waiting = new AbortController();
  const events = turn.after?.(0, waiting.signal) ?? turn[Symbol.asyncIterator]();
  try {
    await Promise.race([events.next(), waited]);
  } finally {
    clearTimeout(timer);
    waiting.abort();
    void events.return?.();
  }
}
