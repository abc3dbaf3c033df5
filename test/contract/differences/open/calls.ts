import type { OpenDifference } from './open-difference.js';

const PROGRAM = ['family/a program that calls functions'];

export const OPEN_CALLS: readonly OpenDifference[] = [
  {
    open: 'cause 10',
    what: 'A program that the model wrote, and what it gave, are not shown',
    right: 'stock',
    why: 'The user does not see what ran; the items go back.',
    seen: [
      {
        in: PROGRAM,
        fields: ['calls[*]*', 'results[*]*', 'reasoning*', 'order', 'messages[*]'],
        of: [4],
      },
    ],
  },
];
