import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startServer, TOKEN } from '../support/start-server.js';

describe('a `Host` that names nothing', () => {
  it.each(['Host:', 'Host: ', 'Host:\t'])('%j is refused', async (host) => {
    await using server = await startServer();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(`GET /sessions HTTP/1.1\r\n${host}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 (?:400|403) /);
  });
});
