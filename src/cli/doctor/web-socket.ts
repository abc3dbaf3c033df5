import { randomBytes } from 'node:crypto';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { asRecord, asString } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';

export interface SocketSeen {
  /** The HTTP status, if no socket was opened. */
  readonly status?: number;
  /** The type of the first message. */
  readonly first?: string;
  readonly problem?: string;
}

interface SocketQuestion {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: unknown;
  readonly signal: AbortSignal;
}

/**
 * Opens a WebSocket, sends one message, and ends after the first reply. Node 20 has no class for it, and one frame each
 * way is enough.
 */
export function askOverSocket({ url, headers, message, signal }: SocketQuestion): Promise<SocketSeen> {
  const open = url.startsWith('https:') ? overHttps : overHttp;
  const key = randomBytes(16).toString('base64');
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': key,
  };
  return new Promise((resolve) => {
    const request = open(url, { headers: { ...headers, ...upgrade }, signal, agent: false });
    const end = (seen: SocketSeen): void => {
      resolve(seen);
      request.destroy();
    };
    request.on('error', ({ message: problem }) => end({ problem: signal.aborted ? 'no message in time' : problem }));
    request.on('response', ({ statusCode = 0 }) => end({ status: statusCode }));
    request.on('upgrade', (_response, socket: Duplex, head: Buffer) => {
      const giveUp = (): void => void socket.destroy(new Error('no message in time'));
      signal.addEventListener('abort', giveUp, { once: true });
      readFirst(socket, head)
        .then(
          (seen) => end(seen),
          (error: Error) => end({ problem: error.message }),
        )
        .finally(() => {
          signal.removeEventListener('abort', giveUp);
          socket.destroy();
        });
      socket.write(textFrame(JSON.stringify(message)));
    });
    request.end();
  });
}

const TEXT = 0x81;
const MASKED = 0x80;
const CLOSE = 8;
const MAX_FRAME = 1_000_000;

/** Clients have to mask their frames. */
function textFrame(text: string): Buffer {
  const bytes = Buffer.from(text);
  const mask = randomBytes(4);
  const length = Buffer.alloc(bytes.length < 126 ? 0 : 2);
  if (length.length > 0) length.writeUInt16BE(bytes.length);
  const head = Buffer.from([TEXT, MASKED | (length.length > 0 ? 126 : bytes.length)]);
  return Buffer.concat([head, length, mask, bytes.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

/** Reads the first text or close frame; skips others (pings). */
async function readFirst(socket: Duplex, head: Buffer): Promise<SocketSeen> {
  let bytes = head;
  const take = (): SocketSeen | undefined => {
    for (let frame = frameOf(bytes); frame !== undefined; frame = frameOf(bytes)) {
      bytes = frame.rest;
      if (frame.kind === CLOSE) return { problem: 'the socket was closed' };
      if (frame.kind === 1) return { first: asString(asRecord(parseJson(frame.text))?.['type']) ?? 'no JSON' };
    }
    return bytes.length > MAX_FRAME ? { problem: 'a message of more than 1 MB' } : undefined;
  };
  for (let seen = take(); ; seen = take()) {
    if (seen !== undefined) return seen;
    const chunk: unknown = await nextChunk(socket);
    if (!Buffer.isBuffer(chunk)) return { problem: 'the socket was closed' };
    bytes = Buffer.concat([bytes, chunk]);
  }
}

function nextChunk(socket: Duplex): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (value: unknown): void => {
      socket.off('data', onData).off('close', settle).off('error', reject).pause();
      resolve(value);
    };
    const onData = (chunk: Buffer): void => settle(chunk);
    socket.on('data', onData).once('close', settle).once('error', reject).resume();
  });
}

function frameOf(bytes: Buffer): { readonly kind: number; readonly text: string; readonly rest: Buffer } | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const start = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < start) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < start + length) return undefined;
  return {
    kind: first & 0x0f,
    text: bytes.toString('utf8', start, start + length),
    rest: bytes.subarray(start + length),
  };
}
