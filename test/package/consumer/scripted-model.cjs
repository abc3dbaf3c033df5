const assert = require('node:assert/strict');
const { describe, it } = require('node:test');

const { generateText } = require('ai');
const { createResponsesProvider } = require('responses-loop');
const { responseEvents, scriptedFetch } = require('responses-loop/testing');

void describe('an app with a scripted model', () => {
  void it('answers', async () => {
    const fetch = scriptedFetch([responseEvents({ output: [{ type: 'text', text: 'Hi.' }] })]);
    const provider = createResponsesProvider({ apiKey: 'test', fetch });
    const { text } = await generateText({ model: provider('any'), prompt: 'Say hello.' });
    assert.equal(text, 'Hi.');
    fetch.assertDone();
  });
});
