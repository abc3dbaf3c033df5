export const MENU = `I'm a scripted demo, not a model – but everything else is real: tools run, files change, and you approve first. Try one of these:

- \`make a plan\`: work through a plan
- \`write hello.md\`: write a file, after you approve
- \`run ls\`: run a command that only reads, without asking
- \`run touch made-by-a-command\`: run a command, after you approve
- \`run rm -rf /\`: a command that is always blocked
- \`list the files\`, \`read hello.md\`: look around
- \`ask a sub-agent to write from-an-agent.md\`: delegate to a sub-agent
- \`show a view\`: a file of JSX, checked and drawn
- \`open https://example.com in the browser\`: a real Chromium, if this machine has one and a network
- \`note buy milk\`: a tool that takes plain text
- \`try MCP\`: call a tool of an MCP server
- \`think about it\`: reasoning
- \`tell me a long story\`: an answer long enough to stop
- \`show markdown\`: formatting
- \`fail\`: an error

To connect a model, start chat-server with \`--base-url\` or \`OPENAI_API_KEY\`.`;

export const MARKDOWN = `## A heading

Some **bold**, some *slanted*, some \`code\`, and [a link](https://example.com/).

1. First
2. Second
   - and below it

> A quotation.

\`\`\`ts
const answer: number = 6 * 7;
\`\`\`

| Duck | Weight |
| --- | ---: |
| Mallard | 1.1 kg |
| Teal | 0.3 kg |

Pictures are not loaded from elsewhere: ![a duck](https://example.com/duck.png)
Raw HTML is shown as text: <b onclick="alert(1)">not bold</b>`;

export const REASONING = [
  'The person wants to see reasoning. ',
  'So I show two thoughts: ',
  'one about the question, ',
  'and one about the answer.',
];

const SENTENCES = [
  'Once there was a duck who kept a diary of the pond.',
  'In the morning it wrote down the wind, and in the evening who had come by.',
  'The heron came on Mondays and said little.',
  'The frogs came every night and said the same thing twice.',
  'When it rained, the pages grew heavy, and the duck wrote smaller.',
];

export const STORY = Array.from({ length: 12 }, (_, n) => `**${n + 1}.** ${SENTENCES.join(' ')}`).join('\n\n');
