import { expect, it } from 'vitest';
import { unknownCommand } from '../../page/lib/commands.js';

const COMMANDS = [{ text: '/help', description: '' }];

it.each([
  ['/nonsense', '/nonsense'],
  ['/nonsense and more', '/nonsense'],
  ['/helpful', '/helpful'],
  ['/help', undefined],
  ['/help me', undefined],
  [' /nonsense', undefined],
  ['/etc/passwd is there?', undefined],
  ['/skill/none do it', undefined],
  ['/', undefined],
  ['1/2', undefined],
])('the message %j begins with the unknown command %s', (draft, unknown) => {
  expect(unknownCommand(draft, COMMANDS)).toBe(unknown);
});
