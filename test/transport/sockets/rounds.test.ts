import { describe, expect, it } from 'vitest';
import { stream, textOf } from '../../provider/support/talk.js';
import { rig, waysOf } from './rig.js';

describe('rounds over a socket', () => {
  it('send only what is new, on one connection, and come to the same answer', async () => {
    await using talk = await rig();
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)).toEqual(['socket whole', 'socket +1', 'socket +1', 'socket +1']);
    expect(talk.server.upgrades).toBe(1);
    expect(talk.runs).toBe(3);
  });

  it('with auto go over HTTP first and over the socket from the second on', async () => {
    await using talk = await rig({}, { transport: 'auto', backend: 'openai' });
    expect(textOf(await stream(talk))).toBe('Done after 3.');
    expect(waysOf(talk)[0]).toBe('http whole');
    expect(talk.runs).toBe(3);
  });
});
