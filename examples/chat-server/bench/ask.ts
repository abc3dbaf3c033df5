import { randomUUID } from 'node:crypto';
import { TOKEN } from './programs.js';

/** What a page sees of an answer. */
export interface Seen {
  readonly firstTextMs: number;
  readonly totalMs: number;
  readonly text: string;
}

const HEADERS = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

/** One turn of a chat of its own, or of the chat that is named. */
export function askChat(url: string, text: string, session = `chat_${randomUUID()}`): Promise<Seen> {
  const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
  return ask(url, { id: session, trigger: 'submit-message', message });
}

export function askBare(url: string, text: string): Promise<Seen> {
  return ask(url, { messages: [{ id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] }] });
}

export async function get(url: string, path: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { headers: HEADERS });
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return response.json();
}

async function ask(url: string, body: unknown): Promise<Seen> {
  const start = performance.now();
  const response = await fetch(`${url}/api/chat`, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
  if (response.body === null || !response.ok) throw new Error(`The server answered ${response.status}.`);
  let firstTextMs = 0;
  const pieces: string[] = [];
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    pieces.push(piece);
    if (firstTextMs === 0 && piece.includes('"text-delta"')) firstTextMs = performance.now() - start;
  }
  return { firstTextMs, totalMs: performance.now() - start, text: textOf(pieces.join('')) };
}

function textOf(stream: string): string {
  const lines = stream.split('\n').filter((line) => line.startsWith('data: {"type":"text-delta"'));
  return lines.map((line) => (JSON.parse(line.slice('data: '.length)) as { delta: string }).delta).join('');
}
