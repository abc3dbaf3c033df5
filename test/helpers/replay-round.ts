import { ownWords } from '../../src/core/clean-text.js';
import { Redactor } from '../../src/observe/redactor.js';
import type { RoundPart } from '../../src/core/part.js';
import { toPushStream } from '../../src/core/push-stream.js';
import { readRound } from '../../src/stream/read-round.js';
import type { FixtureRoundMeta } from '../../src/testing.js';
import { createSimpleIds } from './simple-ids.js';

/** The one place that knows how the stream room is entered: chunks of a round in, all its parts out. */
export async function replayRound(
  chunks: readonly Uint8Array[],
  ending: FixtureRoundMeta['ending'] = 'end',
): Promise<RoundPart[]> {
  const parts: RoundPart[] = [];
  const pour = readRound({
    chunks: toPushStream(deliver(chunks, ending)),
    ids: createSimpleIds(),
    context: { url: ownWords('http://fixture.test/v1/responses'), redactor: Redactor.NONE },
  });
  await pour((batch) => parts.push(...batch) > 0);
  return parts;
}

async function* deliver(chunks: readonly Uint8Array[], ending: FixtureRoundMeta['ending']): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield chunk;
  // What `fetch` of Node says when a connection breaks.
  if (ending === 'reset') throw new TypeError('terminated');
}
