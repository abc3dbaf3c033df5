/** Watches a call from inside: `onEvent` as lines of a log, and as events an app can count. */
import assert from 'node:assert/strict';

import { generateText, tool } from 'ai';
import { createResponsesProvider, logEvents, type ObserverEvent, observers } from 'responses-loop';
import { z } from 'zod';

import { openModelServer } from './support/model-server.js';

await using server = await openModelServer('observability');

// `logEvents(console)` does; here without the data of the events, which is long.
const log = (level: string) => (message: string) => console.log(level.padEnd(5), message);
const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') };

const events: ObserverEvent[] = [];

await using provider = createResponsesProvider({
  ...server.settings,
  tools: {
    count_ducks: tool({
      description: 'Counts the ducks on a pond.',
      inputSchema: z.object({ pond: z.string() }),
      execute: ({ pond }) => `42 ducks on the ${pond} pond`,
    }),
  },
  onEvent: observers(logEvents(logger), (event) => events.push(event)),
});

await generateText({
  model: provider(server.modelId),
  prompt: 'How many ducks are on the north pond? Count them with your tool.',
});

const counts = new Map<string, number>();
for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
const toolEnd = events.find((event) => event.type === 'tool-end');
console.log(`${counts.get('round-end') ?? 0} rounds; the tool took ${toolEnd?.durationMs ?? '?'} ms`);

assert.deepEqual([events[0]?.type, events.at(-1)?.type], ['call-start', 'call-end'], 'Events of a call have two ends.');
assert.equal(toolEnd?.output, '42 ducks on the north pond', 'What the tool said should have been told.');
assert.equal(counts.get('round-start'), counts.get('round-end'), 'Each round that began should have ended.');
const key = server.settings.apiKey ?? process.env['OPENAI_API_KEY'] ?? '';
assert.ok(key === '' || !JSON.stringify(events).includes(key), 'No event may hold the key.');
