import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop/ai5';

const provider = createResponsesProvider({
  tools: { now: { description: 'The current time.', execute: () => new Date().toISOString(), readOnly: true } },
  // In dollars. Prices are per million tokens; cached input costs a tenth of the input price.
  price({ inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 }) {
    return ((inputTokens - cachedInputTokens) * 1.25 + cachedInputTokens * 0.125 + outputTokens * 10) / 1_000_000;
  },
  onEvent(event) {
    if (event.type !== 'call-end' || event.bill === undefined) return;
    const { bill } = event;
    console.log('tokens', bill.usage.inputTokens, bill.usage.outputTokens, 'dollars', bill.cost?.toFixed(6));
    for (const { round, usage, cost } of bill.rounds) console.log('round', round, usage.inputTokens, cost?.toFixed(6));
    for (const { tool, runs, estimatedInputTokens } of bill.tools) console.log(tool, { runs, estimatedInputTokens });
  },
});

const { text } = await generateText({ model: provider('gpt-5.1'), prompt: 'What time is it?' });
console.log(text);
