import { Hono } from 'hono';
import { z } from 'zod';
import { badRequest, check } from '../chat/check-request.js';
import { leafOf } from '../chat/session-leaf.js';
import { HttpError } from '../errors.js';
import { checkId, isId } from '../store/ids.js';
import { SWITCHED_OFF } from '../store/session-file.js';
import { MessageTree } from '../store/tree.js';
import type { SessionFile } from '../types.js';
import { readJson } from './body.js';
import type { ChatRoutesOptions } from './chat.js';

const MAX_LIMIT = 100;
const MAX_INSTRUCTIONS = 20_000;
const MAX_OFF = 1_000;
const title = z.string().trim().min(1).max(200);
const instructions = z.string().max(MAX_INSTRUCTIONS);

const ID = z.string().refine(isId, 'an id has 1 to 64 letters, digits, "_" and "-"');

const NEW = z.strictObject({ id: ID.optional(), title: title.optional(), instructions: instructions.optional() });
const PATCH = z.strictObject({
  title: title.optional(),
  instructions: instructions.optional(),
  isPinned: z.boolean().optional(),
  isArchived: z.boolean().optional(),
  off: z.array(SWITCHED_OFF).max(MAX_OFF).optional(),
  leafId: ID.optional(),
});
const PAGE = z.strictObject({
  limit: z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1, 'must be 1 or more')
    .optional(),
  before: z.iso.datetime().optional(),
  archived: z.literal('true', 'must be "true", or absent').optional(),
});

/** Chats: list, make, read, change, delete. */
export function sessionRoutes(options: ChatRoutesOptions): Hono {
  const { sessions, messages, service, turns, keeper } = options;
  const app = new Hono();
  app.get('/api/sessions', async ({ req }) => {
    const { limit = 30, before, archived } = check(PAGE, req.query());
    const { pinned, others } = inList(await sessions.list(), archived === 'true');
    const from = before === undefined ? others : others.filter(({ updatedAt }) => updatedAt < before);
    const page = from.slice(0, Math.min(limit, MAX_LIMIT));
    // All that are pinned are there from the beginning, however old they are.
    const shownNow = before === undefined ? [...pinned, ...page] : page;
    const running = await keeper.running();
    const items = await Promise.all(shownNow.map((session) => listed(session, { ...options, running })));
    return Response.json({ items, next: page.length < from.length ? (page.at(-1)?.updatedAt ?? null) : null });
  });
  app.post('/api/sessions', async ({ req }) => {
    const session = await sessions.create(check(NEW, await readJson(req.raw)));
    return Response.json(await shown(session, options), { status: 201 });
  });
  app.get('/api/sessions/:id', async ({ req }) =>
    Response.json(await shown(await sessions.get(checkId(req.param('id'))), options)),
  );
  app.patch('/api/sessions/:id', async ({ req }) => {
    const id = checkId(req.param('id'));
    const { leafId, ...patch } = check(PATCH, await readJson(req.raw));
    await sessions.get(id);
    if (leafId !== undefined && turns.get(id) !== undefined) {
      throw new HttpError(
        409,
        'turn_running',
        'A turn of this chat is running. Change its branch when the turn has ended.',
      );
    }
    const tree = await messages.tree(id);
    if (leafId !== undefined && !tree.has(leafId)) throw badRequest(`"leafId": there is no message "${leafId}"`);
    const leaf = leafId === undefined ? {} : { leafId: tree.newestLeafBelow(leafId) };
    const { title: newTitle, instructions: newInstructions } = patch;
    const isMarkOnly =
      leafId === undefined && newTitle === undefined && newInstructions === undefined && patch.off === undefined;
    const changed = await sessions.update(id, ({ updatedAt }) => ({
      ...withoutUndefined(patch),
      ...leaf,
      // To pin or archive a chat does not make it newer.
      ...(isMarkOnly ? { updatedAt } : {}),
    }));
    return Response.json(await shown(changed, options));
  });
  app.delete('/api/sessions/:id', async ({ req }) => {
    await service.delete(checkId(req.param('id')));
    return new Response(null, { status: 204 });
  });
  return app;
}

/** Archived chats have a list of their own, in which none is pinned. */
function inList(
  all: readonly SessionFile[],
  isArchive: boolean,
): { readonly pinned: readonly SessionFile[]; readonly others: readonly SessionFile[] } {
  const wanted = all.filter(({ isArchived = false }) => isArchived === isArchive);
  if (isArchive) return { pinned: [], others: wanted };
  return {
    pinned: wanted.filter(({ isPinned }) => isPinned === true),
    others: wanted.filter(({ isPinned }) => isPinned !== true),
  };
}

interface ListOptions extends Pick<ChatRoutesOptions, 'messages' | 'agentService'> {
  /** The chats with a turn. */
  readonly running: ReadonlySet<string>;
}

async function listed(session: SessionFile, options: ListOptions): Promise<object> {
  const { messages, agentService } = options;
  const { id, title: name, updatedAt, isPinned = false, isArchived = false } = session;
  const running = options.running.has(id);
  const { messageCount, pendingApprovals: own } = await messages.summary(id);
  const pendingApprovals = own + (await agentService.countOpen(id));
  return { id, title: name, updatedAt, isPinned, isArchived, messageCount, pendingApprovals, running };
}

/** With the messages from the root to the leaf. */
async function shown(session: SessionFile, options: ChatRoutesOptions): Promise<object> {
  const tree = new MessageTree(await options.messages.all(session.id));
  const path = tree.pathTo(leafOf(session, tree));
  return {
    ...session,
    leafId: path.at(-1)?.id ?? null,
    ...(await listed(session, { ...options, running: await options.keeper.running() })),
    queue: await options.queue.list(session.id),
    messages: path.map((message) => ({ ...message, siblings: tree.siblingsOf(message) })),
  };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as never;
}
