import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { stream, textOf } from '../../provider/support/talk.js';
import { rig, steps, waysOf } from './rig.js';
import type { AnsweringSocket } from './socket-server.js';

describe('a tool that starts while the model still writes', () => {
  it('sees the asynchronous context of its own call, whichever call the connection was opened for', async () => {
    const user = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    let hasStarted = (): void => {};
    const started = new Promise<void>((resolve) => (hasStarted = resolve));
    const execute = () => {
      seen.push(user.getStore());
      if (seen.length === 2) hasStarted();
      return 'ok';
    };
    // The second call's answer does not end before its tool has started.
    const early = async ({ play, send, socket }: AnsweringSocket): Promise<void> => {
      const sent: string[] = [];
      const whole = socket.send.bind(socket);
      socket.send = (data: unknown) => void sent.push(String(data));
      play();
      socket.send = whole;
      const [first, ...rest] = sent;
      send(first);
      // What comes now is handed over by the socket, not by whoever waited for the first message.
      await expect.poll(() => talk.events.filter(({ type }) => type === 'response').length).toBe(3);
      for (const message of rest.slice(0, -1)) send(message);
      await started;
      send(rest.at(-1));
    };
    await using talk = await rig(
      { model: steps(1), faults: { 2: (answering) => void early(answering) } },
      { tools: { step: { inputSchema: { type: 'object' }, execute, readOnly: true } } },
    );
    for (const name of ['ada', 'bob']) expect(textOf(await user.run(name, () => stream(talk)))).toBe('Done after 1.');
    expect(waysOf(talk)).toHaveLength(4);
    expect(talk.server.upgrades).toBe(1);
    expect(seen).toEqual(['ada', 'bob']);
  });
});
