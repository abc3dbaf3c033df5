import { Hono } from 'hono';
import type { Owners } from 'responses-loop-example-shared/engine/owners.js';
import type { McpAppResource, McpAppResourceRequest } from 'responses-loop/v3';
import { z } from 'zod';
import { AppCalls, type AppCallNews, type AppCallsOptions } from '../apps/app-calls.js';
import { AppPages } from '../apps/app-pages.js';
import { check } from '../chat/check-request.js';
import { HttpError } from '../errors.js';
import { checkId } from '../store/ids.js';
import type { SessionStore } from '../store/session-store.js';
import type { SessionFile } from '../types.js';
import { readJson } from './body.js';

/** As far as a client of an MCP server reads resources. */
interface ResourceReader {
  readResource(request: { readonly uri: string }, options?: unknown): Promise<object>;
}

export interface AppRoutesOptions {
  /** Of several servers, which has which chat. */
  readonly owners?: Pick<Owners, 'onLost'> | undefined;
  readonly sessions: SessionStore;
  /** A sentence about what an MCP server did not do, without secrets. */
  readonly describeAppError: (error: unknown) => string;
  readonly opened: {
    readonly provider: Pick<AppCallsOptions, 'callAppTool'> & {
      readAppResource(request: McpAppResourceRequest): Promise<McpAppResource>;
      mcpClient(server: string): Promise<unknown>;
    };
  };
}

const server = z.string().min(1).max(200);
const uri = z.string().min(1).max(2_000);
const SHOW = z.strictObject({ server, uri: uri.startsWith('ui://') });
const CALL = z.strictObject({ server, tool: z.string().min(1).max(200), input: z.record(z.string(), z.unknown()) });
const READ = z.strictObject({ server, uri });
const NAME = /^[0-9a-f]{32}$/;
const READ_MS = 30_000;

/** MCP Apps: their pages, and what these ask for. The page of the chat asks in their place; they have no token. */
export function appRoutes({ sessions, describeAppError, owners, opened: { provider } }: AppRoutesOptions): Hono {
  const app = new Hono();
  const pages = new AppPages();
  const calls = new AppCalls({ callAppTool: (call) => provider.callAppTool(call), sentenceOf: describeAppError });
  owners?.onLost((chat) => calls.endChat(chat));
  const failed = (error: unknown): never => {
    throw new HttpError(502, 'mcp_app', describeAppError(error));
  };

  app.post('/api/sessions/:id/apps', async ({ req }) => {
    const wanted = check(SHOW, await readJson(req.raw));
    const session = await sessions.get(checkId(req.param('id')));
    refuseOff(session, wanted.server);
    const page = await provider.readAppResource({ ...wanted, abortSignal: req.raw.signal }).catch(failed);
    // The chat tells which of several servers has the page.
    return Response.json({ address: `/apps/${pages.keep(page)}?chat=${session.id}` }, { status: 201 });
  });
  app.post('/api/sessions/:id/apps/calls', async ({ req }) => {
    const { id } = await sessions.get(checkId(req.param('id')));
    const call = check(CALL, await readJson(req.raw));
    return newsStream(req.raw.signal, (signal, onNews) => calls.start({ ...call, sessionId: id, signal }, onNews));
  });
  app.post('/api/sessions/:id/apps/resources', async ({ req }) => {
    const wanted = check(READ, await readJson(req.raw));
    refuseOff(await sessions.get(checkId(req.param('id'))), wanted.server);
    const client = (await provider.mcpClient(wanted.server).catch(failed)) as ResourceReader;
    const signal = AbortSignal.any([req.raw.signal, AbortSignal.timeout(READ_MS)]);
    return Response.json(await client.readResource({ uri: wanted.uri }, { signal }).catch(failed));
  });
  // Without a token: the name in the address is the secret, and counts once.
  app.get('/apps/:name', ({ req }) => {
    const name = req.param('name');
    const page = NAME.test(name) && isForFrame(req.raw) ? pages.take(name) : undefined;
    if (page === undefined) throw new HttpError(404, 'no_such_app', 'This page of an app was shown, or is too old.');
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': page.policy,
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-dns-prefetch-control': 'off',
    };
    return new Response(page.html, { headers });
  });
  return app;
}

/** What is off in a chat is not shown in it either. */
function refuseOff({ off = [] }: SessionFile, wanted: string): void {
  if (!off.some((one) => one.kind === 'server' && one.server === wanted)) return;
  throw new HttpError(409, 'switched_off', `The MCP server ${wanted} is switched off in this chat.`);
}

/** Browsers say what they will do with an answer. Opened as a page of its own, it would have the whole window. */
function isForFrame({ headers }: Request): boolean {
  return headers.get('sec-fetch-dest') === 'iframe';
}

type Work = (signal: AbortSignal, onNews: (news: AppCallNews) => void) => Promise<void>;

/** A line of JSON for each. It ends with the call; if the client goes first, the call ends. */
function newsStream(gone: AbortSignal, work: Work): Response {
  const encoder = new TextEncoder();
  const left = new AbortController();
  const signal = AbortSignal.any([gone, left.signal]);
  const early: AppCallNews[] = [];
  let take = (news: AppCallNews): void => void early.push(news);
  const done = work(signal, (news) => take(news));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      take = (news) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(`${JSON.stringify(news)}\n`));
      };
      for (const news of early) take(news);
      void done.finally(() => {
        if (!left.signal.aborted) controller.close();
      });
    },
    cancel: () => left.abort(),
  });
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } });
}
