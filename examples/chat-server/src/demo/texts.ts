export const MENU = `I'm the demo model: a script, not a real model. Everything else is real: tools run, files change, and you approve first. Try one of these:

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
- \`tell me a long story\`: an answer long enough to stop and to continue
- \`tell me a story in chapters\`: long enough to steer; write \`make it about a frog\` meanwhile and press Steer
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

/** Each is followed by a look at the clock, where the model hears what a person said meanwhile. */
export const CHAPTERS = [
  'The morning|the duck woke before the sun and counted the reeds. There were as many as yesterday',
  'The letter|a letter came down the brook, folded into a boat. The duck read it twice and told nobody',
  'The journey|so the duck packed a crust of bread and set out upstream, where the water was cold and quick',
  'The bridge|under the bridge lived an old pike who asked everybody for a riddle. The duck knew three of them',
  'The rain|it rained for two days. The duck sat below a leaf of butterbur and thought about the letter',
  'The mill|the mill had not turned for years. The duck pushed the wheel with both feet until it moved',
  'The flood|all the water that had waited came down at once, and it carried the duck home in an hour',
  'The evening|at the pond everybody wanted to hear about it. The duck began with the reeds, and they listened',
].map((chapter, at) => {
  const [title = '', text = ''] = chapter.split('|');
  return `**Chapter ${at + 1}: ${title}.** On that day ${text}. ${SENTENCES.slice(1).join(' ')}`;
});

export const STORY = Array.from({ length: 12 }, (_, n) => `**${n + 1}.** ${SENTENCES.join(' ')}`).join('\n\n');
