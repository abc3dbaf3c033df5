import { Hono } from 'hono';
import { HttpError } from '../errors.js';
import { check } from '../chat/check-request.js';
import { CLIENT } from '../mcp/given-client.js';
import type { SignIns, SignInState } from '../mcp/sign-ins.js';
import { SECURITY_HEADERS } from '../page/security-headers.js';
import type { McpTool } from '../tools/runtime.js';
import { readJson } from './body.js';

export interface SignInRoutesOptions {
  readonly signIns: SignIns;
  readonly listMcpTools: () => Promise<readonly McpTool[]>;
  readonly opened: {
    readonly provider: {
      finishSignIn(server: string, callbackUrl: string): Promise<void>;
      mcpClient(server: string): Promise<{ listTools(): Promise<unknown> }>;
    };
  };
}

/** MCP servers, and how a person signs in at them and out. */
export function signInRoutes({ signIns, listMcpTools, opened: { provider } }: SignInRoutesOptions): Hono {
  const app = new Hono();
  /** The refusal of the server begins it. */
  const beginSignIn = (server: string): Promise<unknown> =>
    provider
      .mcpClient(server)
      .then((client) => client.listTools())
      .catch(() => undefined);
  app.get('/api/mcp-servers', async () => {
    // Connects: only the refusal of a server tells that it requires a sign-in.
    const tools = await listMcpTools().catch(() => []);
    const servers = (await signIns.list()).map((state) => {
      const count = tools.filter(({ source }) => source === state.server).length;
      return { ...state, tools: count, state: stateOf(state, count) };
    });
    return Response.json(servers);
  });
  app.delete('/api/mcp-servers/:server/sign-in', async ({ req }) => {
    const server = req.param('server');
    const outcome = await signIns.signOut(server);
    if (!outcome.isSignedOut) {
      throw new HttpError(404, 'not_signed_in', 'You are not signed in to this MCP server.');
    }
    await beginSignIn(server);
    const { problem } = outcome;
    return problem === undefined ? new Response(null, { status: 204 }) : Response.json({ problem });
  });
  app.put('/api/mcp-servers/:server/client', async ({ req }) => {
    const server = req.param('server');
    if (!(await signIns.giveClient(server, check(CLIENT, await readJson(req.raw))))) {
      throw new HttpError(409, 'no_client_needed', 'This MCP server does not wait for a client ID.');
    }
    await beginSignIn(server);
    return new Response(null, { status: 204 });
  });
  app.get('/oauth/callback', async ({ req }) => {
    const server = signIns.take(req.query('state') ?? '');
    if (server === undefined) {
      return page(400, 'This sign-in is not under way. Begin again in the settings of the chat.');
    }
    try {
      const { pathname, search } = new URL(req.url);
      await provider.finishSignIn(server, `${pathname}${search}`);
      return page(200, `You are signed in at ${server}. You can close this tab.`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return page(400, `You are not signed in at ${server}. ${why}`);
    }
  });
  return app;
}

type ServerState = 'ready' | 'needs_sign_in' | 'needs_client' | 'not_connected';

function stateOf({ signIn, registerWith }: SignInState, tools: number): ServerState {
  if (signIn !== undefined) return 'needs_sign_in';
  if (registerWith !== undefined) return 'needs_client';
  return tools > 0 ? 'ready' : 'not_connected';
}

/** Text alone: what a service says of itself is no page of ours. */
function page(status: number, text: string): Response {
  const headers = { ...SECURITY_HEADERS, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(`${text}\n`, { status, headers });
}
