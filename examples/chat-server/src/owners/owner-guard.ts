import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { OwnerElsewhere, Owners } from 'responses-loop-example-shared/engine/owners.js';
import { EngineUnavailable } from 'responses-loop-example-shared/engine/types.js';
import { errorAnswer } from '../errors.js';
import { peekText } from '../routes/body.js';
import { cutOf } from '../routes/cut.js';
import { isId } from '../store/ids.js';
import { type Forwarded, Forwarder, HOP } from './forward.js';

/** As long as it takes until an instance counts as dead, and somewhat more. */
const PATIENCE_MS = 10_000;
const RETRY_MS = 500;
/** Of an answer: the server that was asked does not have the chat, and has done nothing. */
const NOT_HERE = 'chat-server-not-here';

type ChatOf = (context: Context) => string | undefined | Promise<string | undefined>;

const inPath: ChatOf = ({ req }) => req.param('id');
const inQuery: ChatOf = ({ req }) => req.query('chat');

/** What is no JSON is refused by its route. */
const inBody: ChatOf = async ({ req }) => {
  const text = await peekText(req.raw);
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (Reflect.get(body, 'id') as string | undefined) : undefined;
  } catch {
    return undefined;
  }
};

/** Every request that names a chat is answered by the instance that has it. Lists, the search and the catalog read the database. */
export function addOwnerGuard(app: Hono, owners: Owners): void {
  const forwarder = new Forwarder(owners);
  const toOwner = (chatOf: ChatOf): MiddlewareHandler => guard(chatOf, forwarder, async (chat) => owners.placeOf(chat));
  app.post('/api/chat', toOwner(inBody));
  app.use('/api/chat/:id/*', toOwner(inPath));
  app.post('/api/sessions', toOwner(inBody));
  app.use('/api/sessions/:id/*', toOwner(inPath));
  // Whoever asks has no token: no chat is taken for him.
  app.get(
    '/apps/:name',
    guard(inQuery, forwarder, async (chat) => (await owners.find(chat)) ?? 'here'),
  );
}

type Send = (to: OwnerElsewhere) => Promise<Forwarded>;
type PlaceOf = (chat: string) => Promise<'here' | OwnerElsewhere>;

function guard(chatOf: ChatOf, forwarder: Forwarder, placeOf: PlaceOf): MiddlewareHandler {
  return async (context, next) => {
    const chat = await chatOf(context);
    // What is no id is refused by its route.
    if (!isId(chat)) return next();
    const request = context.req.raw;
    if (request.headers.has(HOP)) return (await isHere(chat, placeOf)) ? next() : notHere();
    const send: Send = async (to) =>
      forwarder.send({ request, body: await peekText(request), to, cut: cutOf(context) });
    const answer = await fromOwner(request, send, () => placeOf(chat)).catch((error: unknown) => {
      // Nobody reads it.
      if (request.signal.aborted) return new Response(null, { status: 408 });
      throw error;
    });
    return answer ?? next();
  };
}

/** `undefined`: the chat is here. Until the owner that died counts as dead, it is asked again. */
async function fromOwner(
  { signal }: Request,
  send: Send,
  placeOf: () => Promise<'here' | OwnerElsewhere>,
): Promise<Response | undefined> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const to = await placeOf();
    if (to === 'here') return undefined;
    const answer = await send(to);
    if (answer !== 'unreached' && !answer.headers.has(NOT_HERE)) return answer;
    if (answer !== 'unreached') await answer.body?.cancel();
    if (performance.now() > until) throw new EngineUnavailable();
    await sleep(RETRY_MS, undefined, { signal });
  }
}

async function isHere(chat: string, placeOf: PlaceOf): Promise<boolean> {
  try {
    return (await placeOf(chat)) === 'here';
  } catch (error) {
    if (error instanceof EngineUnavailable) return false;
    throw error;
  }
}

/** Whoever sent it here looks for the owner again; it is not sent further. */
function notHere(): Response {
  const answer = errorAnswer(new EngineUnavailable());
  answer.headers.set(NOT_HERE, '1');
  return answer;
}
