import { afterEach, describe, expect, it, vi } from 'vitest';
import { say, start, stream } from '../provider/support/talk.js';

const calls = vi.hoisted(() => ({ count: 0 }));

/** What makes copies of bodies and looks for secrets: all the work that events need. */
vi.mock('../../src/observe/redact.js', async (original) => {
  const real = await original<typeof import('../../src/observe/redact.js')>();
  const counted = <T extends (...args: never[]) => unknown>(run: T): T =>
    ((...args: never[]) => {
      calls.count += 1;
      return run(...args);
    }) as T;
  return {
    ...real,
    redactBody: counted(real.redactBody),
    secretsOf: counted(real.secretsOf),
  };
});

/** Every search begins with it. */
vi.mock('../../src/observe/secret-scanner.js', async (original) => {
  const real = await original<typeof import('../../src/observe/secret-scanner.js')>();
  return {
    ...real,
    SecretScanner: class extends real.SecretScanner {
      constructor(secrets: readonly string[]) {
        super(secrets);
        calls.count += 1;
      }
    },
  };
});

afterEach(() => {
  calls.count = 0;
});

describe('the work of events', () => {
  it('is not done for a whole call that nobody watches', async () => {
    await stream(await start([say('Hi.')], { apiKey: 'sk-1234567890' }));
    // The id of the response and the model's name, once a round: they are short, and stand in metadata.
    expect(calls.count).toBeLessThanOrEqual(4);
  });

  it('is done for one that somebody watches', async () => {
    await stream(await start([say('Hi.')], { apiKey: 'sk-1234567890', onEvent: () => {} }));
    expect(calls.count).toBeGreaterThan(0);
  });
});
