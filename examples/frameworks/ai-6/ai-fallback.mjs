// ai-fallback: another model in place of one that fails.
import assert from 'node:assert/strict';
import { generateText, streamText } from 'ai';
import { createFallback } from 'ai-fallback';
import { createResponsesProvider } from 'responses-loop/ai6';
import { errorReply, scriptedFetch } from 'responses-loop/testing';
import { says, scenarios } from '../support/scenarios.mjs';

let ran = 0;
const pay = { description: 'Pays the bill.', execute: () => `paid ${++ran} times` };
const callsPay = { output: [{ type: 'call', name: 'pay', arguments: {} }] };

function modelThat(...answers) {
  const fetch = scriptedFetch(answers);
  return createResponsesProvider({ apiKey: 'test', fetch, retry: { maxRetries: 0 }, tools: { pay } })('gpt-5.1');
}

const fallback = (...models) =>
  createFallback({
    models,
    // Not by status codes alone: an error after a tool has run says that it must not be repeated.
    shouldRetryThisError: (error) => error.isRetryable === true,
  });

const failed = await scenarios({
  'plain stream': async () => {
    const { text } = streamText({ model: fallback(modelThat('Hello.'), modelThat('Backup.')), prompt: 'plain' });
    return says(await text, 'Hello.');
  },
  'falls over before anything was said': async () => {
    for (const status of [429, 500, 503]) {
      const model = fallback(modelThat(errorReply({ status })), modelThat('Backup.'));
      const { text } = await generateText({ model, prompt: 'plain', maxRetries: 0 });
      says(text, 'Backup.');
    }
  },
  'runs no tool twice': async () => {
    ran = 0;
    const model = fallback(modelThat(callsPay, errorReply({ status: 500 })), modelThat(callsPay, 'Paid again.'));
    await assert.rejects(generateText({ model, prompt: 'pay', maxRetries: 0 }), (error) => {
      assert.deepEqual(
        error.completedCalls.map(({ name }) => name),
        ['pay'],
      );
      return true;
    });
    assert.equal(ran, 1);
    return 'pay ran once; the error says so';
  },
});

process.exit(failed === 0 ? 0 : 1);
