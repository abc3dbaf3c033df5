import fc from 'fast-check';
import { SAID } from 'responses-loop-example-shared/call-view.js';
import { expect, it } from 'vitest';
import { oddText } from '../../../../test/tools/support/odd-arguments.js';
import { unspell } from '../../../../test/tools/support/unspell.js';
import { bash, filesIn, openCoder, scripted, text, type OpenCoder } from '../support/open-coder.js';

/** What is asked, as a person reads it: from above the dialog if it is printed there, else from the dialog. */
function asked({ terminal }: OpenCoder): string {
  const above = terminal.all.filter((line) => line.startsWith('? '));
  const rows = above.length > 0 ? above : terminal.all.filter((line) => line.startsWith('┃ '));
  return rows
    .map((row) => row.slice(2))
    .map((row) => (row.endsWith('↩') ? row.slice(0, -1) : `${row}\n`))
    .join('');
}

const SAMPLES = fc.sample(
  oddText.filter((command) => command.trim() !== ''),
  { numRuns: 6, seed: 7 },
);

it.each([...SAMPLES, `echo ${'a \u200b+++ --- '.repeat(8_000)} EVIL-IN-THE-END`].map((odd) => [odd] as const))(
  'the terminal holds a command to the letter before it can be answered: %#',
  { timeout: 120_000 },
  async (odd) => {
    const command = `touch made; : ${odd}`;
    await using server = await scripted((index) => (index === 0 ? bash(command) : text('end.')));
    using coder = await openCoder({ columns: 90, rows: 30, server });
    await coder.say('go');
    await coder.terminal.shows((screen) => screen.includes('Run this command?') && screen.includes('Esc cancel'));
    expect(unspell(asked(coder).split(`\n${SAID}`)[0] ?? '')).toBe(command);
    expect(filesIn(coder.folders.workspace)).toEqual([]);
    expect(coder.terminal.clears).toBe(0);
  },
);

it('a write is asked about with each of its lines, whatever they begin with, and no end is cut', async () => {
  const content = [
    '#!/bin/sh',
    'echo build',
    '++ 2>/dev/null; touch "$HOME/HIDDEN_RAN"',
    `echo ok${' '.repeat(120)}; touch "$HOME/HIDDEN_RAN2"`,
    '',
  ].join('\n');
  const write = { output: [{ type: 'call' as const, name: 'write', arguments: { path: 'build.sh', content } }] };
  await using server = await scripted((index) => (index === 0 ? write : text('end.')));
  using coder = await openCoder({ columns: 100, rows: 30, server, args: ['-a', 'unless_trusted'] });
  await coder.say('go');
  await coder.terminal.shows((screen) => screen.includes('Change this file?') && screen.includes('Esc cancel'));
  const shown = asked(coder);
  expect(shown).toContain('3 + ++ 2>/dev/null; touch "$HOME/HIDDEN_RAN"');
  expect(shown).toContain('4 + echo ok⟨U+0020×120⟩; touch "$HOME/HIDDEN_RAN2"');
});

it('a key that is held or pressed twice answers one question and not the next', async () => {
  const outputs = (input: readonly unknown[]): number =>
    input.filter((item) => (item as { type?: unknown }).type === 'function_call_output').length;
  const commands = ['touch one', 'touch two'];
  await using server = await scripted((_, { input }) => {
    const next = commands[outputs(input)];
    return next === undefined ? text('end.') : bash(next);
  });
  using coder = await openCoder({ columns: 90, rows: 30, server });
  await coder.say('go');
  await coder.terminal.shows((screen) => screen.includes('touch one') && screen.includes('Esc cancel'));
  coder.terminal.write('y');
  await coder.terminal.shows((screen) => screen.includes('┃ touch two'));
  for (let count = 0; count < 5; count += 1) {
    coder.terminal.write('y');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(filesIn(coder.folders.workspace)).toEqual(['one']);
  // It is in no message either.
  await coder.terminal.shows((screen) => screen.includes('Esc cancel'));
  coder.terminal.write('y');
  await coder.terminal.shows('end.');
  await coder.idle();
  expect(filesIn(coder.folders.workspace).toSorted()).toEqual(['one', 'two']);
});

it('a question that has no room any more, since the terminal became narrower, is printed whole', async () => {
  const command = `touch made; : ${'word '.repeat(60)}THE-END`;
  await using server = await scripted((index) => (index === 0 ? bash(command) : text('end.')));
  using coder = await openCoder({ columns: 110, rows: 30, server });
  await coder.say('go');
  await coder.terminal.shows((screen) => screen.includes('THE-END') && screen.includes('Esc cancel'));
  await coder.terminal.resize(32, 30);
  await coder.terminal.shows((screen) => screen.includes('printed in full above') && /\? .*THE-END/.test(screen));
  expect(asked(coder).split(`\n${SAID}`)[0]).toBe(command);
});
