import { describe, expect, it } from 'vitest';
import { abortError, followAbort } from '../../src/util/abort.js';
import { Closing } from '../../src/util/closing.js';

describe('the end of a provider', () => {
  it('ends what follows it, with its reason, once', () => {
    const closing = new Closing();
    const { controller } = followAbort(closing);
    const reason = new Error('closed');
    closing.close(reason);
    closing.close(new Error('again'));
    expect(controller.signal.aborted).toBe(true);
    expect(abortError(controller.signal)).toBe(reason);
    expect(abortError(closing)).toBe(reason);
  });

  it('ends what follows it later at once', () => {
    const closing = new Closing();
    closing.close(new Error('closed'));
    expect(followAbort(closing).controller.signal.aborted).toBe(true);
  });

  it('leaves alone what was released', () => {
    const closing = new Closing();
    const { controller, release } = followAbort(closing);
    release();
    closing.close(new Error('closed'));
    expect(controller.signal.aborted).toBe(false);
  });
});
