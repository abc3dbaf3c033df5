// The agent: a provider with a journal, its tools, and a loop. What an app has whichever engine keeps it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamText, wrapLanguageModel } from 'ai';
import { createResponsesProvider } from 'responses-loop/v3';

/** The journal of the attempt that asks: the provider is one for all loops, a journal belongs to one attempt at one loop. */
const journals = new AsyncLocalStorage();

const provider = createResponsesProvider({
  baseURL: process.env.MODEL_URL,
  apiKey: 'none',
  journal: () => journals.getStore(),
  tools: {
    look: toolOf('look', { readOnly: true }),
    set: toolOf('set', { idempotent: true }),
    put: toolOf('put', {}),
  },
});

/** Runs what is inside a step: a tool that asks a model itself is no loop of its own. */
export function unkept(run) {
  return journals.exit(run);
}

/** Runs one loop, or what is left of it. `onPart` gets the parts of the model as they come. */
export async function runLoop({ loop, journal, signal, onPart = () => {} }) {
  record({ attempt: loop });
  return journals.run(journal, async () => {
    const result = streamText({
      model: wrapLanguageModel({ model: provider('gpt-5.1'), middleware: watching(onPart) }),
      prompt: `Loop ${loop}`,
      abortSignal: signal,
      // Engines have a policy of their own for what fails.
      maxRetries: 0,
      onError() {},
    });
    const calls = [];
    for await (const part of result.fullStream) {
      // What the engine rejected a step with comes out as it is: a cancellation stays one.
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') throw signal.reason;
      if (part.type === 'tool-result') calls.push({ callId: part.toolCallId, tool: part.toolName, said: 'output' });
      if (part.type === 'tool-error')
        calls.push({ callId: part.toolCallId, tool: part.toolName, said: String(part.error) });
    }
    return { text: await result.text, calls };
  });
}

/** Middleware may watch a stream; it must not make a step of the whole call (see docs/journal.md). */
function watching(onPart) {
  return {
    specificationVersion: 'v3',
    wrapStream: async ({ doStream }) => {
      const { stream, ...rest } = await doStream();
      const tap = new TransformStream({
        transform(part, controller) {
          onPart(part);
          controller.enqueue(part);
        },
      });
      return { stream: stream.pipeThrough(tap), ...rest };
    },
  };
}

/** A tool whose effect is a line in a ledger, written in the middle of its run. */
function toolOf(name, says) {
  return {
    description: name,
    inputSchema: { type: 'object', properties: { loop: { type: 'string' } } },
    ...says,
    execute: async ({ loop }, { toolCallId, abortSignal }) => {
      await sleep(10, undefined, { signal: abortSignal });
      record({ effect: name, loop, callId: toolCallId });
      await sleep(15);
      return `${name}: fine`;
    },
  };
}

function record(entry) {
  appendFileSync(process.env.LEDGER, `${JSON.stringify({ ...entry, pid: process.pid })}\n`);
}
