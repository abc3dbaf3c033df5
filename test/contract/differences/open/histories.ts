import type { Major } from '../../sides.js';
import type { OpenDifference } from './open-difference.js';

const LATER: readonly Major[] = [3, 4];

export const OPEN_HISTORIES: readonly OpenDifference[] = [
  {
    open: 'cause 10',
    what: 'Parallel calls that the stock provider took apart, with a conversation: outputs of ids that the server does not know',
    right: 'stock',
    why: 'The server has one call.',
    seen: [
      {
        in: [
          'request/together: parallel calls taken apart, with a conversation',
          'request/together: parallel calls taken apart, with previousResponseId',
        ],
        fields: ['body.input[*]*'],
        of: LATER,
      },
    ],
  },
  {
    open: 'cause 13',
    what: 'With a conversation, what was never at the server is cut off as well',
    right: 'stock',
    why: 'An answer without an item id was never there.',
    seen: [
      {
        in: [
          'request/together: conversation: what was never at the server',
          'request/together: conversation: a prompt that ends with an answer',
        ],
        fields: ['body.input[*]*'],
      },
    ],
  },
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
