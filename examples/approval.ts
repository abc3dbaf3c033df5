import { createInterface } from 'node:readline/promises';
import { generateText } from 'ai';
import { approveByAnnotations, createResponsesProvider } from 'responses-loop/ai5';
import { questionOf } from 'responses-loop/question';

const terminal = createInterface({ input: process.stdin, output: process.stdout });

const provider = createResponsesProvider({
  tools: {
    look: { description: 'Looks at the pond.', execute: () => '3 ducks', readOnly: true },
    drain: { description: 'Drains the pond.', execute: () => 'dry' },
  },
  // Read-only tools run; all others need approval.
  approve: approveByAnnotations(async (call) => {
    const { head, whole } = questionOf(call);
    const answer = await terminal.question(`Run ${head}?\n${whole}\n[y/N] `, { signal: call.signal });
    return answer === 'y' ? true : { approved: false, reason: 'the user does not want that' };
  }),
});

const { text } = await generateText({ model: provider('gpt-5.1'), prompt: 'Look after the pond.' });
console.log(text);
terminal.close();
