import { describe, expect, it } from 'vitest';
import { everyByte, plainParts, randomCuts, whole } from 'responses-loop/testing';

import type { RoundPart, RoundResult } from '../../src/core/part.js';
import { isRecord } from '../../src/util/guards.js';
import { replayRound } from '../helpers/replay-round.js';
import { sameValue } from '../helpers/same-value.js';
import { spans } from '../stream/support/read-events.js';
import { expectedOf, finalItems, streamedText, toldBy } from './support/expected-content.js';
import { readAnswers, readStreams, recordingsThere } from './support/shared-streams.js';
import { isResponsesStream, wireEvents, type WireObject } from './support/wire-stream.js';

/** Streams shorter than this are also fed byte by byte. */
const BYTE_BY_BYTE_BELOW = 20_000;

const streams = readStreams().map((recording) => ({ ...recording, events: wireEvents(recording.bytes) }));
const responses = streams.filter(({ events }) => isResponsesStream(events));
const completed = responses.flatMap((stream) => {
  const items = finalItems(stream.events);
  return items === undefined ? [] : [{ ...stream, items }];
});
const failed = responses.filter(({ events }) => finalItems(events) === undefined && hasFailure(events));
const cut = responses.filter(({ events }) => finalItems(events) === undefined && !hasFailure(events));
const foreign = streams.filter(({ events }) => !isResponsesStream(events));
const answers = readAnswers().flatMap(({ name, bytes }) => {
  const body: unknown = parsed(new TextDecoder().decode(bytes));
  return isRecord(body) && Array.isArray(body['output'])
    ? [{ name, bytes, items: body['output'].filter(isRecord) }]
    : [];
});

// Present on a developer's machine that has them; the repository holds none of these streams.
it.skipIf(!recordingsThere)(
  'finds recorded streams in ../shared/data (skipped where that folder is not beside the project)',
  () => {
    expect(completed.length).toBeGreaterThan(30);
  },
);

describe.each(completed)('$name, a stream that completed', ({ bytes, items }) => {
  it('ends without an error', async () => {
    const result = resultOf(await replayRound(whole(bytes)));
    expect(result.error).toBeUndefined();
    expect(['completed', 'incomplete']).toContain(result.outcome);
  });

  it('tells every text, reasoning, call and other item of the final response exactly once', async () => {
    expect(toldBy(await replayRound(whole(bytes)))).toEqual(expectedOf(items));
  });

  it('keeps all of it for the next request', async () => {
    const { texts, calls } = expectedOf(items);
    const { content } = resultOf(await replayRound(whole(bytes)));
    expect(content.flatMap((item) => (item.type === 'text' ? [item.text] : []))).toEqual(texts);
    expect(content.filter((item) => item.type === 'tool-call' && item.item === undefined)).toHaveLength(calls.length);
  });
});

describe.each(failed)('$name, a stream in which the server reports an error', ({ bytes }) => {
  it('ends in an error with the words of the server', async () => {
    const result = resultOf(await replayRound(whole(bytes)));
    expect(result.outcome).toBe('failed');
    expect(result.error?.message).toMatch(/\w+ .*\[http/);
  });
});

describe.each(cut)('$name, a stream that was cut off', ({ bytes, events }) => {
  it('tells what had come and ends in an error, never in "stop"', async () => {
    const parts = await replayRound(whole(bytes));
    const result = resultOf(parts);
    expect(result).toMatchObject({ outcome: 'truncated', finishReason: 'error' });
    expect(result.error).toMatchObject({ code: 'stream-truncated', isRetryable: true });
    expect(spans(parts, 'text').join('')).toBe(streamedText(events, 'response.output_text.delta'));
  });
});

describe.each(foreign)('$name, which is no Responses stream', ({ bytes }) => {
  it('is refused with an error that says so', async () => {
    const { error } = resultOf(await replayRound(whole(bytes)));
    expect(error).toMatchObject({ code: 'not-a-responses-api', isRetryable: false });
  });
});

describe.each(responses)('$name', ({ bytes }) => {
  it('gives the same parts however its bytes are cut', async () => {
    const expected = await replayRound(whole(bytes));
    const cuts = [1, 2, 3].map((seed) => randomCuts({ seed, maxBytes: 30 * 4 ** seed })(bytes));
    if (bytes.length < BYTE_BY_BYTE_BELOW) cuts.push(everyByte(bytes));
    for (const chunks of cuts) {
      const parts = await replayRound(chunks);
      // Only a difference is worth the time `toEqual` takes.
      if (!sameValue(parts, expected)) expect(plainParts(parts)).toEqual(plainParts(expected));
    }
  });
});

describe.each(answers)('$name, an answer that was not streamed', ({ bytes, items }) => {
  it('tells everything in it exactly once', async () => {
    const parts = await replayRound(whole(bytes));
    expect(toldBy(parts)).toEqual(expectedOf(items));
    expect(resultOf(parts).error).toBeUndefined();
  });
});

function resultOf(parts: readonly RoundPart[]): RoundResult {
  const ends = parts.flatMap((part) => (part.type === 'round-end' ? [part.result] : []));
  const [result] = ends;
  if (result === undefined || ends.length > 1 || parts.at(-1)?.type !== 'round-end')
    throw new Error(`${ends.length} round ends`);
  return result;
}

function hasFailure(events: readonly WireObject[]): boolean {
  return events.some((event) => event['type'] === 'error' || event['type'] === 'response.failed');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
