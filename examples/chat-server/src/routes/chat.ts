import { UI_MESSAGE_STREAM_HEADERS } from 'ai';
import { Hono } from 'hono';
import type { AgentService } from '../chat/agent-service.js';
import { alreadyAnswered } from '../chat/answer-approvals.js';
import { checkChatRequest } from '../chat/check-request.js';
import { describeError } from '../chat/describe-error.js';
import type { TurnResult } from '../chat/orchestrator.js';
import type { TurnKeeper } from '../chat/turn-keeper.js';
import type { RunningTurn } from '../chat/running-turn.js';
import type { RunningTurns } from '../chat/running-turns.js';
import type { ChatService } from '../chat/service.js';
import type { SideService } from '../chat/side-service.js';
import { readAttachments } from '../documents/read-attachments.js';
import { HttpError } from '../errors.js';
import type { QueueService } from '../queue/queue-service.js';
import { checkId } from '../store/ids.js';
import type { MessageStore } from '../store/message-store.js';
import type { SessionStore } from '../store/session-store.js';
import { StoreError } from '../store/store-error.js';
import { type ChatRequest, NO_USAGE } from '../types.js';
import { readJson } from './body.js';
import { cutOf } from './cut.js';
import { eventStream, type EventStreamOptions } from './event-stream.js';

export interface ChatRoutesOptions {
  readonly service: ChatService;
  readonly agentService: AgentService;
  readonly side: SideService;
  readonly queue: QueueService;
  readonly turns: RunningTurns;
  readonly keeper: TurnKeeper;
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
}

/** The one entry, and what is done to the turn it started. */
export function chatRoutes(options: ChatRoutesOptions): Hono {
  const { service, agentService, keeper } = options;
  const app = new Hono();
  app.post('/api/chat', async (context) => {
    const { req } = context;
    const request = await readAttachments(checkChatRequest(await readJson(req.raw)), req.raw.signal);
    try {
      return await answer(request, { signal: req.raw.signal, cut: cutOf(context) }, options);
    } catch (error) {
      throw (await isAnsweredMeanwhile(error, request, service))
        ? alreadyAnswered('This question was answered before.')
        : error;
    }
  });
  app.get('/api/chat/:id/stream', async (context) => {
    const { req } = context;
    const { signal } = req.raw;
    const frames = await keeper.join(checkId(req.param('id')), signal, req.header('last-event-id'));
    if (frames === undefined) return new Response(null, { status: 204 });
    if (req.method !== 'HEAD') return eventStream({ chunks: frames, signal, cut: cutOf(context) });
    // Hono answers HEAD by this too, and nobody would read the stream or end it.
    await frames.return?.();
    return new Response(null, { headers: { ...UI_MESSAGE_STREAM_HEADERS } });
  });
  app.post('/api/chat/:id/stop', async ({ req }) => {
    const id = checkId(req.param('id'));
    // Without a turn it ends the sub-agents that wait for one.
    const stopped = (await service.stop(id)) || (await agentService.stop(id)) > 0;
    return Response.json({ stopped }, { status: 202 });
  });
  return app;
}

async function answer(
  request: ChatRequest,
  client: Pick<EventStreamOptions, 'signal' | 'cut'>,
  { service, side, queue, keeper }: ChatRoutesOptions,
): Promise<Response> {
  const isStream = request.responseMode === 'stream' && request.intent !== 'command';
  try {
    const started = (await side.start(request)) ?? (await queue.add(request)) ?? (await service.start(request));
    if ('waiting' in started || 'queued' in started) return Response.json(started, { status: 202 });
    const { turn, result } = started;
    return isStream
      ? eventStream({ ...client, chunks: keeper.framesOf(turn, client.signal) })
      : await jsonAnswer(turn, result, client.signal);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { code, message } = describeError(error);
    if (!isStream) throw new HttpError(507, 'store_failed', message);
    return eventStream({ ...client, chunks: once({ type: 'error', errorText: message, code }) });
  }
}

/** Waits for the end as a listener does: a client that goes away is one less. */
async function jsonAnswer(turn: RunningTurn, result: Promise<TurnResult>, signal: AbortSignal): Promise<Response> {
  const listener = turn.listen();
  const leave = (): void => void listener.return?.();
  signal.addEventListener('abort', leave, { once: true });
  for await (const _ of listener);
  signal.removeEventListener('abort', leave);
  // Of a lost turn there may never be a result.
  if (turn.isLost) throw turnElsewhere();
  const { message, finishReason, failure } = await result;
  if (failure?.code === 'store_failed') throw new HttpError(507, 'store_failed', failure.message);
  if (failure !== undefined) throw new HttpError(502, 'model_error', failure.message);
  return Response.json({ message: message ?? null, usage: message?.metadata.usage ?? NO_USAGE, finishReason });
}

/** Of two tabs that answer at the same time one is late: it should read so, and not that a turn is running. */
async function isAnsweredMeanwhile(refusal: unknown, request: ChatRequest, service: ChatService): Promise<boolean> {
  if (!(refusal instanceof HttpError) || refusal.code !== 'turn_running') return false;
  if (request.trigger !== 'approval-response') return false;
  const answered = await Promise.all(request.approvals.map(({ id }) => service.isAnswered(request.id, id)));
  return answered.includes(true);
}

function turnElsewhere(): HttpError {
  return new HttpError(503, 'server_ends', 'Another instance goes on with this answer: read the chat there.');
}

async function* once(chunk: object): AsyncGenerator<readonly string[], undefined> {
  yield [JSON.stringify(chunk)];
}
