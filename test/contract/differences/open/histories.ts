import type { Major } from '../../sides.js';
import type { OpenDifference } from './open-difference.js';

const LATER: readonly Major[] = [3, 4];

export const OPEN_HISTORIES: readonly OpenDifference[] = [
  {
    open: 'cause 5',
    what: 'Outputs of a shell that the stock provider showed: names in two spellings',
    right: 'stock',
    why: 'The server knows one of them.',
    seen: [
      {
        in: ['family/shell in a container', 'family/shell in a container that is there, with skills'],
        fields: ['body.items.*.output[*].outcome.*'],
        at: ['history'],
        of: LATER,
      },
    ],
  },
  {
    open: 'cause 6',
    what: 'Screenshots that the stock provider showed are sent as it shows them',
    right: 'stock',
    why: 'The server does not know them so.',
    seen: [{ in: ['family/computer, *'], fields: ['body.items.*.output.*'], at: ['history'], of: [4] }],
  },
];
