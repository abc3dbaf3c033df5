import { describe, expect, it } from 'vitest';
import { notify } from '../../src/observe/notify.js';

const event = { type: 'warning', message: 'w' } as const;

describe('an observer', () => {
  it('gets the event', () => {
    const seen: unknown[] = [];
    notify(
      (one) => seen.push(one),
      () => event,
    );
    expect(seen).toEqual([event]);
  });

  it('that is not there costs nothing: the event is not even made', () => {
    let made = 0;
    notify(undefined, () => ((made += 1), event));
    expect(made).toBe(0);
  });

  it('that throws changes nothing', () => {
    expect(() =>
      notify(
        () => {
          throw new Error('observer');
        },
        () => event,
      ),
    ).not.toThrow();
  });

  it('that is asynchronous and fails leaves no unhandled rejection behind', async () => {
    const unhandled: unknown[] = [];
    const keep = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', keep);
    const observer = (): unknown => Promise.reject(new Error('observer'));
    notify(observer, () => event);
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', keep);
    expect(unhandled).toEqual([]);
  });
});
