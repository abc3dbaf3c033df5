import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { ResponsesProviderSettings } from '../../../src/settings/settings.js';
import { generateText, stream, textOf } from '../../provider/support/talk.js';
import { clientLikeRuntime } from './plain-client.js';
import { type Rig, rig, waysOf } from './rig.js';
import type { SocketFault } from './socket-server.js';

const auto = { transport: 'auto', backend: 'openai' } as const;
const plain = { model: () => [{ type: 'text' as const, text: ['Hi', '.'] }] };

/** A tool whose runs wait until the test lets them go. */
function heldTool() {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const execute = async () => {
    await held;
    return 'ok';
  };
  return { tools: { step: { inputSchema: { type: 'object' as const }, execute } }, release };
}

const CLIENTS: readonly (readonly [string, ResponsesProviderSettings['webSocket']])[] = [
  ['ws', WebSocket],
  ["a client like the runtime's own", clientLikeRuntime],
  // Node 20 has none.
  ...('WebSocket' in globalThis ? [["the runtime's own", globalThis.WebSocket as never] as const] : []),
];

describe('with auto, a socket is opened for the rounds to come', () => {
  const overHttpThenSocket = ['http whole', 'socket whole', 'socket +1', 'socket +1'];

  it.each([
    ['a call that streams', (talk: Rig) => stream(talk).then(textOf)],
    ['a call that generates, which the server answers with JSON', (talk: Rig) => generateText(talk)],
  ])('by %s', async (_name, ask) => {
    const { tools, release } = heldTool();
    await using talk = await rig({ onSocket: () => setTimeout(release, 50) }, { ...auto, tools });
    expect(await ask(talk)).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(overHttpThenSocket);
  });
});

describe.each(CLIENTS)('a call that is aborted, with %s', (_name, webSocket) => {
  /** Long enough for a test to fail by it. */
  const timeouts = { socketMs: 60_000 };

  it('ends the attempt immediately if its socket is still opening', async () => {
    await using talk = await rig({ onUpgrade: () => {} }, { webSocket, timeouts });
    const stop = new AbortController();
    const call = stream(talk, { abortSignal: stop.signal });
    await expect.poll(() => talk.server.raw).toBe(1);
    stop.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => talk.server.raw).toBe(0);
  });

  it('while a socket is opened for its later rounds ends the attempt at once', async () => {
    const { tools } = heldTool();
    await using talk = await rig({ onUpgrade: () => {} }, { ...auto, webSocket, timeouts, tools });
    const stop = new AbortController();
    const call = stream(talk, { abortSignal: stop.signal });
    await expect.poll(() => talk.server.raw).toBe(1);
    stop.abort();
    await call.catch(() => {});
    await expect.poll(() => talk.server.raw).toBe(0);
  });

  it('leaves an attempt to another call that waits for it, until that one is aborted as well', async () => {
    const { tools } = heldTool();
    await using talk = await rig({ onUpgrade: () => {} }, { ...auto, webSocket, timeouts, tools });
    const [first, second] = [new AbortController(), new AbortController()];
    const calls = [first, second].map((stop) => stream(talk, { abortSignal: stop.signal }).catch(() => {}));
    await expect.poll(() => talk.server.requests.length).toBe(2);
    await expect.poll(() => talk.server.raw).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    first.abort();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(talk.server.raw).toBe(1);
    expect(talk.server.upgrades).toBe(1);
    second.abort();
    await Promise.all(calls);
    await expect.poll(() => talk.server.raw).toBe(0);
  });

  it('is no reason to leave sockets alone: the next call opens one, and nothing was announced', async () => {
    let upgrades = 0;
    await using talk = await rig({ ...plain, onUpgrade: () => void (upgrades += 1) }, { webSocket, timeouts });
    const stop = new AbortController();
    const call = stream(talk, { abortSignal: stop.signal });
    await expect.poll(() => upgrades).toBe(1);
    stop.abort();
    await call.catch(() => {});
    const next = new AbortController();
    const again = stream(talk, { abortSignal: next.signal });
    await expect.poll(() => upgrades).toBe(2);
    next.abort();
    await again.catch(() => {});
    expect(talk.events.filter(({ type }) => type === 'transport-fallback')).toEqual([]);
  });
});

describe('a call that is aborted before its socket is opened', () => {
  it('while the function of the setting still makes one, ends that at once, and closes what it makes', async () => {
    const signals: AbortSignal[] = [];
    let give = (_socket: WebSocket): void => {};
    const webSocket: ResponsesProviderSettings['webSocket'] = ({ signal }) => {
      signals.push(signal);
      return new Promise<WebSocket>((resolve) => {
        give = resolve;
      });
    };
    await using talk = await rig(plain, { webSocket, timeouts: { socketMs: 60_000 } });
    const stop = new AbortController();
    const call = stream(talk, { abortSignal: stop.signal });
    await expect.poll(() => signals.length).toBe(1);
    stop.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    const late = new WebSocket(talk.server.baseURL.replace('http', 'ws'));
    give(late);
    await expect.poll(() => late.readyState).toBe(WebSocket.CLOSED);
  });

  it('by whoever watches its request makes none', async () => {
    const stop = new AbortController();
    let made = 0;
    const webSocket: ResponsesProviderSettings['webSocket'] = ({ url, headers }) => {
      made += 1;
      return new WebSocket(url, { headers });
    };
    const { tools } = heldTool();
    const onEvent = ({ type }: { readonly type: string }): void => {
      if (type === 'tool-start') stop.abort();
    };
    await using talk = await rig({}, { ...auto, webSocket, tools, onEvent });
    await stream(talk, { abortSignal: stop.signal }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(talk.server.raw).toBe(0);
    expect(made).toBeLessThanOrEqual(1);
  });
});

describe('a peer that sends nothing but pings', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const onlyPings: SocketFault = ({ socket }) => {
    // It reads nothing, so that no ping of ours is answered.
    socket.pause();
    for (let ping = 0; ping < 100; ping += 1) setTimeout(() => socket.ping(), 10 * ping);
  };

  it.each(CLIENTS)('is abandoned for HTTP as quickly as a silent peer, with %s', async (_name, webSocket) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    await using talk = await rig({ ...plain, faults: { 0: onlyPings, 1: onlyPings } }, { webSocket });
    const call = stream(talk);
    await expect.poll(() => talk.server.requests.length).toBe(1);
    vi.advanceTimersByTime(20_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(waysOf(talk)).toEqual(['socket whole']);
    vi.advanceTimersByTime(20_000);
    expect(textOf(await call)).toBe('Hi.');
    expect(waysOf(talk)).toEqual(['socket whole', 'http whole']);
    // Nobody waits there again so soon.
    expect(textOf(await stream(talk))).toBe('Hi.');
    expect(waysOf(talk)).toEqual(['socket whole', 'http whole', 'http whole']);
  });
});
