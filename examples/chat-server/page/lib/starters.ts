/** A first message to click. */
export interface Starter {
  readonly title: string;
  readonly hint: string;
  readonly text: string;
}

export const DEMO_STARTERS: readonly Starter[] = [
  { title: 'Make a plan', hint: 'See the steps ticked off', text: 'make a plan' },
  { title: 'Write a file', hint: 'You approve it first', text: 'write hello.md' },
  { title: 'Run a command', hint: 'Reading needs no approval', text: 'run ls' },
  {
    title: 'Delegate a task',
    hint: 'A sub-agent asks you too',
    text: 'ask a sub-agent to write from-an-agent.md',
  },
];

export const STARTERS: readonly Starter[] = [
  {
    title: 'Explain this folder',
    hint: 'What is here, and how it fits together',
    text: 'Look around in this folder and explain what is here.',
  },
  {
    title: 'Find open tasks',
    hint: 'Notes about unfinished work, by file',
    text: 'Find the to-do notes in the files of this folder and list them by file.',
  },
  {
    title: 'Draft a README',
    hint: 'You approve it first',
    text: 'Read what is in this folder, then write a README.md for it.',
  },
  {
    title: 'Plan an improvement',
    hint: 'A plan first, changes later',
    text: 'Make a plan for the most useful improvement here, and wait for my answer before you change anything.',
  },
];
