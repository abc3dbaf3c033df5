import { createOpenAI } from '@ai-sdk/openai';
import { describe, expect, it } from 'vitest';
import { withStockFallback } from '../../../src/index.js';
import { stream, textOf } from '../../provider/support/talk.js';
import { rig, type Rig, waysOf } from './rig.js';
import type { SocketFault } from './socket-server.js';

const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });
const said = (text: string) => ({ role: 'assistant' as const, content: [{ type: 'text' as const, text }] });
const busy: SocketFault = ({ send }) =>
  send({ type: 'error', status: 503, error: { code: 'overloaded', message: 'Later.' } });

/** The same talk behind a switch, whose stock provider has the same server. */
function switched(talk: Rig, useStock: () => boolean): Rig {
  const stock = createOpenAI({ baseURL: talk.server.baseURL, apiKey: 'stock-key' });
  const provider = withStockFallback({ primary: talk.provider, stock, useStock, fallOver: true });
  return Object.create(talk, { provider: { value: provider } }) as Rig;
}

describe('a provider with sockets and a stock fallback', () => {
  it('falls over when sockets bring an error, and the stock provider runs the tools over HTTP', async () => {
    await using talk = await rig({ faults: { 0: busy } });
    const parts = await stream(switched(talk, () => false));
    expect(textOf(parts)).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(['socket whole', ...Array(4).fill('http whole')]);
    expect(talk.runs).toBe(3);
    expect(talk.events).toContainEqual(expect.objectContaining({ type: 'fallback', because: 'failure' }));
    await expect.poll(() => talk.server.open).toBe(0);
  });

  it('is not left by a socket that cannot be opened: that is a matter of HTTP', async () => {
    await using talk = await rig({ onUpgrade: (_request, socket) => socket.destroy() });
    expect(textOf(await stream(switched(talk, () => false)))).toBe('Done after 3.');
    expect(talk.events.filter(({ type }) => type === 'transport-fallback')).toHaveLength(1);
    expect(talk.events).not.toContainEqual(expect.objectContaining({ type: 'fallback', because: 'failure' }));
  });

  it('sends a conversation whole that the stock provider went on with meanwhile', async () => {
    let stock = false;
    const plain = { model: () => [{ type: 'text' as const, text: 'Hi.' }] };
    await using talk = await rig(plain);
    const both = switched(talk, () => stock);
    const prompt = [user('One')];
    for (const text of ['Two', 'Three', 'Four']) {
      await stream(both, { prompt: [...prompt] });
      prompt.push(said('Hi.') as never, user(text));
      stock = text === 'Two';
    }
    expect(waysOf(talk)).toEqual(['socket whole', 'http whole', 'socket whole']);
    expect(talk.server.requests[2]?.context).toHaveLength(5);
  });
});
