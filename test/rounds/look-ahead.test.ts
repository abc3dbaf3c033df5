import type { CleanError } from '../../src/core/clean-text.js';
import { redactError } from '../../src/observe/redact-error.js';
import { describe, expect, it } from 'vitest';
import type { RoundPart, RoundResult } from '../../src/core/part.js';
import type { PushStream } from '../../src/core/push-stream.js';
import { Redactor } from '../../src/observe/redact.js';
import { lookAhead as lookAheadFor } from '../../src/rounds/look-ahead.js';
import { createGate } from '../../src/testing.js';

const NO_SECRETS = { whole: Redactor.NONE, withoutBody: Redactor.NONE };
const lookAhead = (batches: Parameters<typeof lookAheadFor>[0]) => lookAheadFor(batches, NO_SECRETS);

const failure = redactError(new Error('overloaded'), Redactor.NONE);
const result = (error?: CleanError): RoundPart => ({
  type: 'round-end',
  result: {
    outcome: error === undefined ? 'completed' : 'failed',
    finishReason: error === undefined ? 'stop' : 'error',
    usage: {},
    content: [],
    answeredCallIds: [],
    warnings: [],
    ...(error === undefined ? {} : { error }),
  } satisfies RoundResult,
});
const RESPONSE: RoundPart = { type: 'response', responseId: 'resp_1' };
const FAILED = result(failure);
const DONE = result();
const text = (delta: string): RoundPart => ({ type: 'text-delta', id: 't', delta });

/** A round from batches; a promise among them holds it there. */
function roundOf(...steps: (readonly RoundPart[] | PromiseLike<unknown>)[]): {
  batches: AsyncGenerator<readonly RoundPart[], void, undefined>;
  readonly closed: boolean;
} {
  let closed = false;
  const batches = (async function* () {
    try {
      for (const step of steps) {
        if ('then' in step) await step;
        else yield step;
      }
    } finally {
      closed = true;
    }
  })();
  return {
    batches,
    get closed() {
      return closed;
    },
  };
}

async function partsOf(pour: PushStream<readonly RoundPart[]>): Promise<RoundPart[]> {
  const parts: RoundPart[] = [];
  await pour((batch) => parts.push(...batch) > 0);
  return parts;
}

describe('an error before anything visible', () => {
  it.each<[string, readonly (readonly RoundPart[])[]]>([
    ['at once', [[FAILED]]],
    ['after the response was announced', [[RESPONSE], [FAILED]]],
    [
      'after a text that never began',
      [
        [RESPONSE, { type: 'text-start', id: 't' }],
        [{ type: 'text-end', id: 't' }, FAILED],
      ],
    ],
    [
      'after reasoning that was opened and closed, empty',
      [[{ type: 'reasoning-start', id: 'r' }, { type: 'reasoning-end', id: 'r' }, FAILED]],
    ],
    [
      'after a call that never got its arguments',
      [[{ type: 'tool-input-start', callId: 'c', name: 'add' }], [{ type: 'tool-input-end', callId: 'c' }, FAILED]],
    ],
    ['after raw events', [[{ type: 'raw', event: {} }, RESPONSE, FAILED]]],
  ])('%s: rejects with it and gives the round up', async (_name, batches) => {
    const round = roundOf(...batches);
    await expect(lookAhead(round.batches)).rejects.toThrow('overloaded');
    await Promise.resolve();
    expect(round.closed).toBe(true);
  });

  it('is not overlooked where the process stood still for longer than one looks, and the error had come meanwhile', async () => {
    const batches: PushStream<readonly RoundPart[]> = (take) =>
      new Promise((resolve, reject) => {
        const last = (): void => {
          try {
            void take([FAILED]);
            resolve();
          } catch (error) {
            reject(error);
          }
        };
        setImmediate(() => {
          void take([RESPONSE, { type: 'text-start', id: 't' }]);
          const until = performance.now() + 70;
          while (performance.now() < until);
          // What has come is read behind the timers that are due.
          setImmediate(last);
        });
      });
    await expect(lookAhead(batches)).rejects.toThrow('overloaded');
  });

  it('what the round throws is thrown', async () => {
    const reason = new DOMException('stop', 'AbortError');
    const rejection = Promise.reject(reason);
    await expect(lookAhead(roundOf([RESPONSE], rejection).batches)).rejects.toBe(reason);
  });
});

describe('an error after something visible is a part', () => {
  it.each<[string, readonly RoundPart[]]>([
    ['text', [{ type: 'text-start', id: 't' }, text('a')]],
    [
      'reasoning',
      [
        { type: 'reasoning-start', id: 'r' },
        { type: 'reasoning-delta', id: 'r', delta: 'a' },
      ],
    ],
    [
      'arguments',
      [
        { type: 'tool-input-start', callId: 'c', name: 'add' },
        { type: 'tool-input-delta', callId: 'c', delta: '{' },
      ],
    ],
    ['a call', [{ type: 'tool-call', callId: 'c', name: 'add', arguments: '{}' }]],
    ['a source', [{ type: 'source', kind: 'url', id: 's', url: 'https://example.com' }]],
  ])('%s', async (_name, visible) => {
    expect(await partsOf(await lookAhead(roundOf(visible, [FAILED]).batches))).toEqual([...visible, FAILED]);
    expect(await partsOf(await lookAhead(roundOf([...visible, FAILED]).batches))).toEqual([...visible, FAILED]);
  });
});

describe('looking ahead loses nothing and waits for nobody', () => {
  it('every part comes out once, in order', async () => {
    const parts = await partsOf(
      await lookAhead(
        roundOf(
          [RESPONSE],
          [{ type: 'text-start', id: 't' }],
          [text('a')],
          [text('b'), { type: 'text-end', id: 't' }],
          [DONE],
        ).batches,
      ),
    );
    expect(parts).toEqual([
      RESPONSE,
      { type: 'text-start', id: 't' },
      text('a'),
      text('b'),
      { type: 'text-end', id: 't' },
      DONE,
    ]);
  });

  it('a slow first token: resolves after the first event without it, and passes it on when it comes', async () => {
    const gate = createGate();
    const batches = await lookAhead(roundOf([RESPONSE], gate.released, [text('a'), DONE]).batches);
    gate.release();
    expect(await partsOf(batches)).toEqual([RESPONSE, text('a'), DONE]);
  });

  it('an error that comes too late is a part', async () => {
    const gate = createGate();
    const batches = await lookAhead(roundOf([RESPONSE], gate.released, [FAILED]).batches);
    gate.release();
    expect(await partsOf(batches)).toEqual([RESPONSE, FAILED]);
  });

  it('an empty answer that went well is an answer', async () => {
    expect(await partsOf(await lookAhead(roundOf([RESPONSE, DONE]).batches))).toEqual([RESPONSE, DONE]);
  });

  it('the first event may take as long as it likes', async () => {
    const gate = createGate();
    let settled = false;
    const looking = lookAhead(roundOf(gate.released, [FAILED]).batches).finally(() => (settled = true));
    // Longer than the patience that follows the first event.
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(settled).toBe(false);
    gate.release();
    await expect(looking).rejects.toThrow('overloaded');
  });

  it('giving up what was looked at gives up the round', async () => {
    const round = roundOf([text('a')], [text('b')], [DONE]);
    const pour = await lookAhead(round.batches);
    await pour(() => false);
    await new Promise(setImmediate);
    expect(round.closed).toBe(true);
  });
});
