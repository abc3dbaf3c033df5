import { ownWords } from '../../../src/core/clean-text.js';
import { Redactor } from '../../../src/observe/redactor.js';
import { createParser } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import type { RoundPart } from '../../../src/core/part.js';
import { readRound } from '../../../src/stream/read-round.js';
import { type FixtureRound, plainParts } from '../../../src/testing.js';
import { readAllFixtures } from '../../helpers/fixtures.js';
import { createSimpleIds } from '../../helpers/simple-ids.js';

const recorded = (await readAllFixtures()).flatMap(({ meta, rounds, parts }) =>
  rounds.flatMap((round, at) => {
    const messages = round.kind === 'sse' ? messagesOf(round) : [];
    // Servers that put the type on the `event:` line alone have no sockets.
    return messages.every((data) => data.includes('"type"')) && messages.length > 0
      ? [{ name: `${meta.name}, round ${at + 1}`, messages, ending: round.ending, expected: parts?.[at] }]
      : [];
  }),
);

describe('a recording, as messages of a socket', () => {
  it.each(recorded)('gives the expected parts: $name', async ({ messages, ending, expected }) => {
    const shown: RoundPart[] = [];
    const reading = readRound({
      chunks: async (onValue) => {
        for (const data of messages) if (onValue([data]) === false) return;
        if (ending === 'reset') throw new TypeError('terminated');
      },
      ids: createSimpleIds(),
      context: { url: ownWords('http://fixture.test/v1/responses'), redactor: Redactor.NONE },
    });
    await reading((batch) => shown.push(...batch) > 0);
    expect(plainParts(shown)).toEqual(expected);
  });
});

function messagesOf({ body }: FixtureRound): string[] {
  const messages: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => messages.push(data) });
  parser.feed(`${new TextDecoder().decode(body)}\n\n`);
  return messages.filter((data) => data !== '[DONE]');
}
