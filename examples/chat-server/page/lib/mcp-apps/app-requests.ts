import type { AppCallNews } from '../../../src/apps/app-calls.js';
import { api, apiErrorOf } from '../api.js';
import { ownFetch } from '../token.js';

export interface AppPlace {
  readonly sessionId: string;
  readonly server: string;
}

/** Where a frame finds the page, once. */
export async function appAddress({ sessionId, server }: AppPlace, uri: string): Promise<string> {
  const { address } = await api<{ address: string }>('POST', `/api/sessions/${sessionId}/apps`, { server, uri });
  return address;
}

export function readAppResource({ sessionId, server }: AppPlace, uri: string): Promise<unknown> {
  return api('POST', `/api/sessions/${sessionId}/apps/resources`, { server, uri });
}

export interface AppToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** What comes on the way: questions, and why one was cancelled. */
  readonly onNews: (news: Exclude<AppCallNews, { type: 'result' | 'error' }>) => void;
}

/** Makes the call on the server, which may ask on the way. Resolves to the result. */
export async function callAppTool(place: AppPlace, { name, input, signal, onNews }: AppToolCall): Promise<unknown> {
  const response = await ownFetch(`/api/sessions/${place.sessionId}/apps/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ server: place.server, tool: name, input }),
    signal,
  });
  if (!response.ok || response.body === null) throw await apiErrorOf(response);
  for await (const news of newsIn(response.body)) {
    if (news.type === 'result') return news.result;
    if (news.type === 'error') throw new Error(news.message);
    onNews(news);
  }
  throw new Error('The server ended the call without a result.');
}

async function* newsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<AppCallNews> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader();
  for (let rest = ''; ;) {
    const { done, value } = await reader.read();
    const lines = `${rest}${value ?? ''}`.split('\n');
    rest = lines.pop() ?? '';
    // What our own server writes.
    for (const line of lines) yield JSON.parse(line) as AppCallNews;
    if (done) return;
  }
}
