import { Command } from 'commander';

const program = new Command('agent').description('Talks to a model with tools, and never forgets.');
await program.parseAsync();
