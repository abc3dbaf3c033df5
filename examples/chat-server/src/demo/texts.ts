export const MENU = `Hello! I am the **offline stand-in**: a few rules, no model. What I show is real all the same: tools run, files are written, and you are asked first. Try one of these:

| Type | What you will see |
| --- | --- |
| \`write hello.md\` | a tool that asks you: Approve, Always in this chat, Reject |
| \`run ls\` | a command that only reads, so it runs at once |
| \`run touch made-by-a-command\` | a command that asks |
| \`run rm -rf /\` | a command that is refused without asking |
| \`list the files\`, \`read hello.md\` | tools that only read |
| \`make a plan\` | a plan whose steps are ticked off |
| \`ask a sub-agent to write from-an-agent.md\` | another agent at work, with its own approval |
| \`note buy milk\` | a tool that takes plain text |
| \`try MCP\` | a tool of an MCP server, if you gave one with \`--mcp-config\` |
| \`think about it\` | reasoning |
| \`tell me a long story\` | text to stop |
| \`show markdown\` | how text is set |
| \`fail\` | an error, and Regenerate |

\`/help\` lists commands. With \`--base-url\` or \`OPENAI_API_KEY\` a real model answers.`;

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
