import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider } from '../../src/index.js';
import { encodeEvents, responseEvents } from '../../src/testing.js';
import { HELLO } from './support/talk.js';

const DELTAS = Array.from({ length: 200 }, (_, index) => `word${index} `);

/** A server that tells how many chunks were taken from it; nothing of its body is buffered on the way. */
function countingServer(answers: readonly (readonly Uint8Array[])[]) {
  const taken: number[] = [];
  const fetch = async (): Promise<Response> => {
    const round = taken.length;
    const chunks = answers[round] ?? [];
    taken.push(0);
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = chunks[taken[round] ?? 0];
          if (chunk === undefined) return controller.close();
          taken[round] = (taken[round] ?? 0) + 1;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch, taken };
}

/** Each event in a chunk of its own. */
function chunksOf(events: Parameters<typeof encodeEvents>[0]): Uint8Array[] {
  return events.map((event) => encodeEvents([event]));
}

function isMessageDone({ type, item }: { readonly type: string; readonly item?: unknown }): boolean {
  return type === 'response.output_item.done' && (item as { type?: string }).type === 'message';
}

/** Everything that can go on without the reader has gone on. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}

const TEXT = chunksOf(responseEvents({ output: [{ type: 'text', text: DELTAS }] }));

describe('a reader that pauses', () => {
  it('makes the server wait: no more than a few deltas lie ahead of it, wherever it pauses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 3, max: 120 }), async (pauseAt) => {
        const { fetch, taken } = countingServer([TEXT]);
        const { stream } = await createResponsesProvider({ baseURL: 'http://relay.test/v1', fetch })('m').doStream(
          HELLO,
        );
        const reader = stream.getReader();
        for (let read = 0; read < pauseAt; read += 1) await reader.read();
        await idle();
        // Behind the events that open the answer and the text, each part is a chunk.
        expect(taken[0]).toBeLessThanOrEqual(pauseAt + 40);
        await reader.cancel();
      }),
      { numRuns: 10 },
    );
  });

  it('holds up the round that follows a tool', async () => {
    const calling = chunksOf(
      responseEvents({
        output: [
          { type: 'text', text: ['Let ', 'me ', 'look.'] },
          { type: 'call', name: 'look', arguments: '{}' },
        ],
      }),
    );
    const { fetch, taken } = countingServer([calling, TEXT]);
    const provider = createResponsesProvider({
      baseURL: 'http://relay.test/v1',
      fetch,
      tools: { look: { inputSchema: { type: 'object' }, execute: () => 'A duck.' } },
    });
    const { stream } = await provider('m').doStream(HELLO);
    const reader = stream.getReader();
    await reader.read();
    await idle();
    expect(taken).toHaveLength(1);
    while (!(await reader.read()).done);
    expect(taken).toHaveLength(2);
  });

  it('keeps a tool from running behind text that was not read yet', async () => {
    const events = responseEvents({
      output: [
        { type: 'text', text: ['I will ', 'write it.'] },
        { type: 'call', name: 'write', arguments: '{}' },
      ],
    });
    // A server that closes nothing before the end.
    const open = events.filter(({ type }) => !/(text|part)\.done$/.test(type));
    const unclosed = open.filter((event) => !isMessageDone(event));
    // What leads up to the text comes with its first words: nothing but words lies between them and the tool.
    const words = unclosed.findIndex(({ type }) => type === 'response.output_text.delta') + 1;
    const chunks = [encodeEvents(unclosed.slice(0, words)), ...chunksOf(unclosed.slice(words))];
    const { fetch } = countingServer([chunks, TEXT]);
    let runs = 0;
    const provider = createResponsesProvider({
      baseURL: 'http://relay.test/v1',
      fetch,
      tools: {
        write: {
          inputSchema: { type: 'object' },
          execute: () => {
            runs += 1;
            return 'Done.';
          },
        },
      },
    });
    const { stream } = await provider('m').doStream(HELLO);
    const reader = stream.getReader();
    await reader.read();
    await idle();
    expect(runs).toBe(0);
    while (!(await reader.read()).done);
    expect(runs).toBe(1);
  });
});
