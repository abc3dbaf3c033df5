import type { Acting } from './acting.js';

/** Brings texts of the user into a call that is under way. */
export interface Steering {
  /**
   * Hands a text to the call under way. The model reads it as a message of the user, before its next round, behind the
   * outputs of the tools that run now. Resolves to `'delivered'`, or to `'undelivered'` once the call has ended without
   * another round: send it as the next message then.
   */
  steer(text: string): Promise<'delivered' | 'undelivered'>;
  /** Whether a running call can accept a text. */
  readonly isOpen: boolean;
}

interface Waiting {
  readonly text: string;
  readonly settle: (outcome: 'delivered' | 'undelivered') => void;
}

/** Known to every copy of this package. */
const CALLS = Symbol.for('responses-loop.steering');

interface SteeredCalls extends Steering {
  [CALLS](): Acting;
}

/**
 * Makes a handle for the setting `steering`, one for each conversation.
 *
 * @example
 * const steering = createSteering();
 * const result = streamText({ model: provider('gpt-5.1', { steering }), messages });
 * // Later, while tools run:
 * if ((await steering.steer('Use the other file.')) === 'undelivered') queue.push('Use the other file.');
 */
export function createSteering(): Steering {
  let waiting: Waiting[] = [];
  let openCalls = 0;
  const steering: SteeredCalls = {
    steer(text) {
      if (typeof text !== 'string' || text.trim() === '')
        return Promise.reject(new TypeError('steer() takes a text that is not empty.'));
      if (openCalls === 0) return Promise.resolve('undelivered');
      return new Promise((settle) => waiting.push({ text, settle }));
    },
    get isOpen() {
      return openCalls > 0;
    },
    [CALLS]() {
      openCalls += 1;
      let hasEnded = false;
      /** Texts that the next round has. */
      let taken: Waiting[] = [];
      const settle = (outcome: 'delivered' | 'undelivered'): void => {
        for (const text of taken) text.settle(outcome);
        taken = [];
      };
      return {
        before() {
          if (waiting.length === 0) return undefined;
          [taken, waiting] = [waiting, []];
          return { texts: taken.map(({ text }) => text) };
        },
        opened: () => settle('delivered'),
        end() {
          if (hasEnded) return;
          hasEnded = true;
          openCalls -= 1;
          // Another call with the same handle may still take what waits.
          if (openCalls === 0) [taken, waiting] = [[...taken, ...waiting], []];
          settle('undelivered');
        },
      };
    },
  };
  return steering;
}

/** Whether this is a handle that `createSteering` made. */
export function isSteering(value: unknown): value is SteeredCalls {
  return typeof value === 'object' && value !== null && CALLS in value;
}

/** Opens the handle for one call. */
export function openSteering(steering: Steering): Acting | undefined {
  return isSteering(steering) ? steering[CALLS]() : undefined;
}
