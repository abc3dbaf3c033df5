import { generateId } from 'ai';
import type { ChatPart, WhileRunning } from '../../src/types.js';
import { api, ApiError, apiErrorOf } from './api.js';
import { areSettingsSaved, UNSAVED } from './settings.js';
import { ownFetch } from './token.js';
import { type ModelChoice, turnBody } from './transport.js';

/** `sent`: the turn had ended meanwhile, so a new one runs. `queued for later`: the turn that runs cannot hear it. */
export type Later = 'queued' | 'queued for later' | 'sent';

/** Ids for messages. What the server may have taken without an answer keeps its id, so that it is not taken twice. */
export class MessageIds {
  #unanswered: { readonly id: string; readonly parts: string } | undefined;

  next(parts: readonly ChatPart[]): { readonly id: string; readonly isTriedAgain: boolean } {
    const kept = this.#unanswered;
    this.#unanswered = undefined;
    if (kept?.parts === JSON.stringify(parts)) return { id: kept.id, isTriedAgain: true };
    return { id: generateId(), isTriedAgain: false };
  }

  keep(id: string, parts: readonly ChatPart[]): void {
    this.#unanswered = { id, parts: JSON.stringify(parts) };
  }
}

interface LaterOptions {
  readonly ids: MessageIds;
  readonly whileRunning: WhileRunning;
  readonly choice: ModelChoice | undefined;
}

/**
 * Sends a message to a chat whose turn runs. What the turn cannot hear, such as a file, is queued instead.
 *
 * @throws ApiError, if the server does not take it; Error, if a setting before it could not be saved.
 */
export async function sendLater(
  sessionId: string,
  parts: readonly ChatPart[],
  { ids, whileRunning, choice }: LaterOptions,
): Promise<Later> {
  if (!(await areSettingsSaved(sessionId))) throw new Error(UNSAVED);
  const { id, isTriedAgain } = ids.next(parts);
  const message = { id, role: 'user', parts };
  const body = { ...turnBody(sessionId, choice), trigger: 'submit-message', message };
  try {
    return await postOrQueue(body, whileRunning);
  } catch (error) {
    if (!(error instanceof ApiError)) ids.keep(id, parts);
    else if (isTriedAgain && error.code === 'message_exists') return 'queued';
    throw error;
  }
}

async function postOrQueue(body: object, whileRunning: WhileRunning): Promise<Later> {
  try {
    return await post({ ...body, whileRunning });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'cannot_steer') throw error;
    const later = await post({ ...body, whileRunning: 'queue' });
    return later === 'queued' ? 'queued for later' : later;
  }
}

async function post(body: object): Promise<Later> {
  const headers = { 'content-type': 'application/json' };
  const response = await ownFetch('/api/chat', { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw await apiErrorOf(response);
  // Whoever shows the chat joins the turn.
  await response.body?.cancel();
  return response.status === 202 ? 'queued' : 'sent';
}

export async function editQueued(sessionId: string, messageId: string, text: string): Promise<void> {
  await api('PATCH', pathOf(sessionId, messageId), { text });
}

export async function removeQueued(sessionId: string, messageId: string): Promise<void> {
  await api('DELETE', pathOf(sessionId, messageId));
}

/** The running turn is to hear it, or a turn begins with it. */
export async function sendQueuedNow(sessionId: string, messageId: string): Promise<void> {
  await api('POST', `${pathOf(sessionId, messageId)}/send`, {});
}

function pathOf(sessionId: string, messageId: string): string {
  return `/api/sessions/${sessionId}/queue/${messageId}`;
}
