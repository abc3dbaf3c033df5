import { generateId } from 'ai';
import type { ChatPart, WhileRunning } from '../../src/types.js';
import { api, ApiError, refusalOf } from './api.js';
import { areSettingsSaved, UNSAVED } from './settings.js';
import { ownFetch } from './token.js';
import { type ModelChoice, turnBody } from './transport.js';

/** `sent`: the turn had ended meanwhile, so a new one runs. `queued for later`: the turn that runs cannot hear it. */
export type Later = 'queued' | 'queued for later' | 'sent';

/**
 * Sends a message to a chat whose turn runs. What the turn cannot hear, such as a file, is queued instead.
 *
 * @throws ApiError, if the server does not take it; Error, if a setting before it could not be saved.
 */
export async function sendLater(
  sessionId: string,
  parts: readonly ChatPart[],
  { whileRunning, choice }: { readonly whileRunning: WhileRunning; readonly choice: ModelChoice | undefined },
): Promise<Later> {
  if (!(await areSettingsSaved(sessionId))) throw new Error(UNSAVED);
  const message = { id: generateId(), role: 'user', parts };
  const body = { ...turnBody(sessionId, choice), trigger: 'submit-message', message };
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
  if (!response.ok) throw await refusalOf(response);
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
