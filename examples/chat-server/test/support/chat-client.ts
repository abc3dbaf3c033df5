import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatPart, StoredMessage } from '../../src/types.js';

/** A chunk as it came. */
export interface Chunk {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface Answer {
  readonly status: number;
  readonly chunks: readonly Chunk[];
  readonly json: Readonly<Record<string, unknown>>;
  readonly isDone: boolean;
}

export interface ShownSession {
  readonly id: string;
  readonly title: string;
  readonly leafId: string | null;
  readonly instructions: string;
  readonly running: boolean;
  readonly pendingApprovals: number;
  readonly grants: readonly unknown[];
  readonly messages: readonly (StoredMessage & { readonly siblings: readonly string[] })[];
}

/** Talks to a chat server as a page does. */
export class ChatClient {
  readonly port: number;
  readonly token: string;
  #count = 0;

  constructor(port: number, token: string) {
    this.port = port;
    this.token = token;
  }

  get headers(): Record<string, string> {
    return { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' };
  }

  async fetch(method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      headers: this.headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...init,
    });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a test says what it expects
  async api<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; json: T }> {
    const response = await this.fetch(method, path, body);
    const text = await response.text();
    return { status: response.status, json: (text === '' ? {} : JSON.parse(text)) as T };
  }

  /** The body of a message; ids are made. */
  message(session: string, text: string | readonly ChatPart[], fields: object = {}): Record<string, unknown> {
    this.#count += 1;
    const parts = typeof text === 'string' ? [{ type: 'text', text }] : text;
    return {
      id: session,
      trigger: 'submit-message',
      message: { id: `u-${this.#count}-${randomUUID()}`, role: 'user', parts },
      ...fields,
    };
  }

  send(session: string, text: string, fields: object = {}): Promise<Answer> {
    return this.post(this.message(session, text, fields));
  }

  answer(
    session: string,
    ...approvals: readonly { id: string; approved: boolean; reason?: string; always?: boolean }[]
  ): Promise<Answer> {
    return this.post({ id: session, trigger: 'approval-response', approvals });
  }

  async post(body: unknown): Promise<Answer> {
    return readAnswer(await this.fetch('POST', '/api/chat', body));
  }

  /** Begins a turn and gives it up when `isEnough` holds for what came so far. */
  async leaveWhen(body: unknown, isEnough: (chunks: readonly Chunk[]) => boolean): Promise<readonly Chunk[]> {
    const leave = new AbortController();
    const response = await this.fetch('POST', '/api/chat', body, { signal: leave.signal });
    const chunks: Chunk[] = [];
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const bytes of response.body ?? []) {
        text += decoder.decode(bytes, { stream: true });
        chunks.splice(0, chunks.length, ...chunksOf(text));
        if (isEnough(chunks)) break;
      }
    } catch {
      // The server went first.
    }
    leave.abort();
    return chunks;
  }

  async session(id: string): Promise<ShownSession> {
    const { status, json } = await this.api<ShownSession>('GET', `/api/sessions/${id}`);
    if (status !== 200) throw new Error(`GET of ${id} gave ${status}: ${JSON.stringify(json)}`);
    return json;
  }

  /** Until no turn of the session runs. */
  async idle(id: string): Promise<ShownSession> {
    return until(
      () => this.session(id),
      ({ running }) => !running,
    );
  }
}

export async function readAnswer(response: Response): Promise<Answer> {
  const { status } = response;
  const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
  const text = await response.text();
  const json = isStream || text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status, json, chunks: isStream ? chunksOf(text) : [], isDone: text.includes('data: [DONE]\n\n') };
}

function chunksOf(text: string): Chunk[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 1);
  const lines = whole.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Chunk);
}

/** Asks again until it holds. */
export async function until<T>(ask: () => T | Promise<T>, holds: (value: T) => boolean, limitMs = 30_000): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    if (Date.now() > end) throw new Error(`It did not come to hold: ${JSON.stringify(value)?.slice(0, 2_000)}`);
    await sleep(20);
  }
}

export function textOf(chunks: readonly Chunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? String(chunk['delta']) : '')).join('');
}

export function approvalsIn(chunks: readonly Chunk[]): string[] {
  return chunks.flatMap((chunk) => (chunk.type === 'tool-approval-request' ? [String(chunk['approvalId'])] : []));
}

export function typesOf(chunks: readonly Chunk[]): string[] {
  return chunks.map(({ type }) => type);
}
