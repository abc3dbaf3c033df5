import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import type { Socket } from 'node:net';

import { randomCuts } from 'responses-loop/testing';
import { WebSocket } from 'ws';
import { otherCut } from '../cut.js';
import { isWhole, sentEvents } from '../events.js';
import type { AnswerExchange, Cut, Exchange, HttpErrorExchange, Noise } from '../scenario.js';
import { echoed } from '../secrets.js';
import { straggler } from '../serve.js';

/** An exchange as it is over a socket: there are no bodies, and what ends early was closed. */
export function asOverSocket(exchange: Exchange): Exchange {
  if (exchange.kind !== 'answer') return exchange;
  const isCut = !isWhole(exchange) && exchange.ending === 'end';
  return { ...exchange, form: 'sse', ...(isCut && { ending: 'close' }) };
}

/** Answers on a socket. Resolves to whether all of an answer went out, and the connection is as good as before. */
export async function answerOn(socket: WebSocket, exchange: Exchange, recut: boolean): Promise<boolean> {
  if (exchange.kind === 'silent') {
    if (exchange.how === 'reset') socket.terminate();
    return false;
  }
  if (exchange.kind === 'http-error') {
    sendAll(socket, [JSON.stringify(errorFrame(exchange))]);
    return false;
  }
  const cut = recut ? otherCut(exchange.cut) : exchange.cut;
  const messages = messagesOf(exchange);
  const { pause } = exchange;
  const at = pause === undefined || pause.at >= messages.length ? messages.length : pause.at;
  await send(socket, messages.slice(0, at), cut);
  if (at < messages.length) {
    await sleep(pause?.ms ?? 0);
    await send(socket, messages.slice(at), cut);
  }
  if (exchange.tornEvent && !isWhole(exchange)) sendHalf(socket);
  if (exchange.ending === 'reset') socket.terminate();
  if (exchange.ending === 'close') end(socket, exchange);
  return isWhole(exchange) && exchange.ending !== 'reset';
}

/** Each is one message or, behind the last event, several that must not be told from it by time. */
function messagesOf(exchange: AnswerExchange): string[][] {
  const messages = sentEvents(exchange).map(({ event }) => [JSON.stringify(event)]);
  for (const noise of exchange.noise.toSorted((a, b) => b.at - a.at))
    if (noise.at < messages.length) messages.splice(noise.at, 0, [NOISE[noise.what](noise.at)]);
  const late = exchange.straggler && exchange.stopAfter === undefined ? straggler(exchange) : [];
  messages.at(-1)?.push(...late.map((event) => JSON.stringify(event)));
  return messages;
}

const NOISE: { readonly [K in Noise['what']]: (at: number) => string } = {
  comment: () => ': keep-alive',
  garbage: () => 'this is not json at all',
  'broken-json': () => '{"type":"response.output_text.delta","delta":"never',
  'unknown-event': () => '{"type":"response.chaos.happened","delta":"never","output_index":0}',
  'unknown-item': (at) =>
    JSON.stringify({
      type: 'response.output_item.added',
      output_index: 80 + at,
      item: { id: `chaos_${at}`, type: 'chaos_item' },
    }),
  blank: () => '',
  'done-mark': () => '[DONE]',
  retry: () => '{"type":"codex.rate_limits","plan":"pro"}',
};

/** Whole: as few writes as possible. Events: each in a turn of its own. Else in fragments, as RFC 6455 has them. */
async function send(socket: WebSocket, messages: readonly string[][], cut: Cut): Promise<void> {
  if (cut.how === 'whole') return sendAll(socket, messages.flat());
  for (const group of messages) {
    if (cut.how === 'events') await tick();
    // Thousands of fragments would leave in several writes.
    sendAll(socket, group, group.length > 1 ? undefined : fragmentsOf(cut));
  }
}

type Fragments = (bytes: Buffer) => readonly Uint8Array[];

function fragmentsOf(cut: Cut): Fragments | undefined {
  if (cut.how === 'whole' || cut.how === 'events') return undefined;
  if (cut.how === 'random') return randomCuts({ seed: cut.seed, maxBytes: 100 });
  if (cut.how === 'utf8') return (bytes) => pieces(bytes, (byte) => (byte & 0xc0) === 0x80);
  return (bytes) => pieces(bytes, () => true);
}

function pieces(bytes: Buffer, isCutBefore: (byte: number) => boolean): Uint8Array[] {
  const cuts = [...bytes.keys()].filter((at) => at > 0 && isCutBefore(bytes[at] ?? 0));
  return [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
}

function sendAll(socket: WebSocket, messages: readonly string[], fragments?: Fragments): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  const raw = rawOf(socket);
  raw.cork();
  for (const message of messages) {
    const parts = fragments?.(Buffer.from(message)).filter((part) => part.length > 0) ?? [];
    if (parts.length < 2) socket.send(message);
    else parts.forEach((part, at) => socket.send(part, { binary: false, fin: at === parts.length - 1 }));
  }
  raw.uncork();
}

/** Behind half a message nothing can be said, so that the line just ends. */
function end(socket: WebSocket, { tornEvent, closeCode }: AnswerExchange): void {
  if (tornEvent) rawOf(socket).end();
  else socket.close(closeCode);
}

/** The head of a message of 100 bytes, and the first few of them. */
function sendHalf(socket: WebSocket): void {
  if (socket.readyState !== WebSocket.OPEN) return;
  rawOf(socket).write(Buffer.concat([Buffer.from([0x81, 100]), Buffer.from('{"type":"response.output_te')]));
}

/** The only way to write what is no message. */
export function rawOf(socket: WebSocket): Socket {
  return (socket as unknown as { readonly _socket: Socket })._socket;
}

/** Documents and services differ in how they write one. */
function errorFrame({ status, code, retryAfterMs, echoesKey, frame = 'wrapped' }: HttpErrorExchange): object {
  const facts = { code, message: `No. ${echoesKey ? echoed() : ''}` };
  const headers = {
    ...(retryAfterMs !== undefined && { 'retry-after-ms': String(retryAfterMs), 'retry-after': '0' }),
    ...(echoesKey && { 'x-echo': echoed() }),
  };
  if (frame === 'flat') return { type: 'error', status, ...facts };
  if (frame === 'untyped') return { error: { ...facts, headers }, status };
  if (frame === 'without-status') return { type: 'error', error: facts };
  return { type: 'error', status, error: { ...facts, headers } };
}
