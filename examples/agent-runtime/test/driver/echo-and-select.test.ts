import { describe, expect, test } from 'vitest';

import { createEchoDriver, selectDriver } from '../../src/index.js';
import { collect, textOf, typesOf } from '../support/collect.js';

describe('the echo driver', () => {
  test('says what it was told, and has a session of its own', async () => {
    const ids: string[] = [];
    const driver = createEchoDriver({ onSessionIdCaptured: (id) => ids.push(id) });
    await driver.initialize();
    const events = await collect(driver.receive({ content: 'Quack  quack,\nsaid the duck.' }));
    expect(textOf(events)).toBe('Quack  quack,\nsaid the duck.');
    expect(typesOf(events)[0]).toBe('message_start');
    expect(typesOf(events).slice(-2)).toEqual(['message_delta', 'message_stop']);
    expect(ids).toEqual([driver.sessionId]);
  });

  test('goes on with the session that it is given', async () => {
    const driver = createEchoDriver({ resumeSessionId: 'earlier' });
    await driver.initialize();
    expect(driver.sessionId).toBe('earlier');
  });

  test('can be interrupted', async () => {
    const driver = createEchoDriver();
    await driver.initialize();
    const seen: string[] = [];
    for await (const { type } of driver.receive({ content: 'one two three four' })) {
      seen.push(type);
      if (type === 'text_delta') driver.interrupt();
    }
    expect(seen).toEqual(['message_start', 'text_delta', 'interrupted']);
    expect(driver.state).toBe('idle');
  });
});

describe('which driver is used', () => {
  const injected = () => createEchoDriver();

  test('one that is handed in, else the option, else the environment, else mono', () => {
    const environment = { AGENTX_DRIVER: 'echo' };
    expect(selectDriver({ injected, option: 'mono', environment }).create).toBe(injected);
    expect(selectDriver({ option: injected, environment }).create).toBe(injected);
    expect(selectDriver({ option: 'mono', environment }).name).toBe('mono');
    expect(selectDriver({ environment }).name).toBe('echo');
    expect(selectDriver({ environment: {} }).name).toBe('mono');
    expect(selectDriver({ environment: { AGENTX_DRIVER: '' } }).name).toBe('mono');
  });

  test.each(['duck', 'constructor'])('%s is no driver, and the error names those that are', (name) => {
    expect(() => selectDriver({ environment: { AGENTX_DRIVER: name } })).toThrow(/AGENTX_DRIVER is .*mono, echo/);
    expect(() => selectDriver({ option: name as 'mono', environment: {} })).toThrow(/driver is .*mono, echo/);
  });
});
