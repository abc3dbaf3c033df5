// Restate: `durableCalls` makes a step of a model's call. The tools inside it are no steps of their own: a call that is
// repeated as a whole would run them again. This example shows how an error after a tool has run ends the repeating.
//
// The context is a stand-in that repeats as Restate does, so that no Restate server is needed.
import assert from 'node:assert/strict';
import { TerminalError } from '@restatedev/restate-sdk';
import { durableCalls } from '@restatedev/vercel-ai-middleware';
import { generateText, wrapLanguageModel } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai7';
import { errorReply, scriptedFetch } from 'responses-loop/testing';
import { OURS, says, scenarios } from '../support/scenarios.mjs';
import { startModel } from '../support/scripted-model.mjs';

const server = await startModel();
const provider = createResponsesProvider({
  baseURL: server.baseURL,
  apiKey: 'test',
  mcpServers: {
    every: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'], allowTools: ['echo'] },
  },
});

/** Once a tool has run, the call must not be repeated as a whole. */
const endAfterTools = {
  specificationVersion: 'v4',
  wrapGenerate: async ({ doGenerate }) => {
    try {
      return await doGenerate();
    } catch (error) {
      if ((error.completedCalls?.length ?? 0) === 0) throw error;
      throw new TerminalError(error.message, { cause: error });
    }
  },
};

// The first of the list is the outermost: the engine sees what the second makes of an error.
const durable = (model, ctx) =>
  wrapLanguageModel({ model, middleware: [durableCalls(ctx, { maxRetryAttempts: 3 }), endAfterTools] });

/** As `ctx.run` of Restate: repeats what fails, unless the error is terminal, and keeps what came of it. */
function standIn() {
  const journal = [];
  return {
    journal,
    async run(name, action, { maxRetryAttempts, serde }) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const record = serde.serialize(await action());
          journal.push({ name, record });
          return serde.deserialize(record);
        } catch (error) {
          if (error instanceof TerminalError || attempt === maxRetryAttempts) throw error;
        }
      }
    },
  };
}

let ran = 0;
const pay = { description: 'Pays the bill.', execute: () => `paid ${++ran} times` };
const callsPay = { output: [{ type: 'call', name: 'pay', arguments: {} }] };

function modelThat(...answers) {
  const fetch = scriptedFetch(answers);
  return createResponsesProvider({ apiKey: 'test', fetch, retry: { maxRetries: 0 }, tools: { pay } })('gpt-5.1');
}

const failed = await scenarios({
  'our MCP tool inside': async () => {
    const ctx = standIn();
    const { text } = await generateText({ model: durable(provider('gpt-5.1'), ctx), prompt: 'ours' });
    assert.equal(ctx.journal.length, 1);
    return says(text, `Seen: ${OURS}`);
  },
  'repeats a call that failed before a tool ran': async () => {
    const model = durable(modelThat(errorReply({ status: 503 }), 'Hello.'), standIn());
    return says((await generateText({ model, prompt: 'plain', maxRetries: 0 })).text, 'Hello.');
  },
  'runs no tool twice': async () => {
    const failure = errorReply({ status: 500 });
    const model = durable(modelThat(callsPay, failure, callsPay, failure), standIn());
    await assert.rejects(generateText({ model, prompt: 'pay', maxRetries: 0 }), (error) => {
      assert.ok(error instanceof TerminalError);
      assert.deepEqual(
        error.cause.completedCalls.map(({ name }) => name),
        ['pay'],
      );
      return true;
    });
    assert.equal(ran, 1);
    return 'pay ran once; the error says so';
  },
});

await provider.close();
await server.close();
process.exit(failed === 0 ? 0 : 1);
