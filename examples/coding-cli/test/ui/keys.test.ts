import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Key, readKeys, waitingKeysRead } from '../../src/ui/keys.js';

async function keysOf(chunks: readonly string[], waiting = ''): Promise<Key[]> {
  const input = Object.assign(new PassThrough(), { setRawMode: () => {} });
  const keys: Key[] = [];
  if (waiting !== '') input.write(waiting);
  const stop = readKeys(input as unknown as ReadStream, { write: () => true }, (key) => keys.push(key));
  // A timer may fire before the program has looked for keys that waited.
  await waitingKeysRead();
  for (const chunk of chunks) {
    input.write(chunk);
    await sleep(5);
  }
  await sleep(120);
  stop();
  return keys;
}

describe('keys', () => {
  it('tell Enter from Ctrl-J', async () => {
    const keys = await keysOf(['a\r\n']);
    expect(keys.map(({ name }) => name)).toEqual(['a', 'return', 'enter']);
  });

  it('that waited for the program have a line feed for Enter', async () => {
    expect((await keysOf(['\n'], 'a\n')).map(({ name }) => name)).toEqual(['a', 'return', 'enter']);
  });

  it('hand over a paste as one piece, with its line ends and whatever cuts it', async () => {
    const [key, ...others] = await keysOf(['\u001B[20', '0~one\r\ntwo\rthr', 'ee\u001B[A\u001B[201', '~']);
    expect(key).toMatchObject({ name: 'paste', text: 'one\ntwo\nthree\u001B[A' });
    expect(others).toEqual([]);
  });

  it('know a lone Esc from one that begins an arrow', async () => {
    expect((await keysOf(['\u001B', '[A'])).map(({ name }) => name)).toEqual(['up']);
    expect((await keysOf(['\u001B'])).map(({ name }) => name)).toEqual(['escape']);
  });

  it('write what is written, and nothing for keys that do something', async () => {
    const keys = await keysOf(['é漢👍\u0001\u001Bb\u007F']);
    expect(keys.map(({ text }) => text).join('')).toBe('é漢👍');
    expect(keys.slice(-3)).toMatchObject([{ name: 'a', ctrl: true }, { name: 'b', meta: true }, { name: 'backspace' }]);
  });
});
