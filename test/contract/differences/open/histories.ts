import type { Major } from '../../sides.js';
import { ANY } from '../difference.js';
import type { OpenDifference } from './open-difference.js';

const LATER: readonly Major[] = [3, 4];

export const OPEN_HISTORIES: readonly OpenDifference[] = [
  {
    open: 'cause 10',
    what: 'A history that the stock provider wrote: its half-hosted calls become function calls',
    right: 'stock',
    why: 'The server knows them under their own types; the text of a custom call is lost.',
    seen: [
      { in: ['family/local shell'], fields: ['body.items.*'], at: ['history'] },
      {
        in: ['family/shell *', 'family/patches*', 'family/tool search *'],
        fields: ['body.items.*'],
        at: ['history'],
        of: LATER,
      },
      { in: ['family/custom tool *'], fields: ['body.items.*'], at: ['history'], of: LATER },
      {
        in: ['family/computer, *', ...['family/a program that calls functions']],
        fields: ['body.items.*'],
        at: ['history'],
        of: [4],
      },
      { in: ['family/tool search at the server'], fields: ['body.order'], at: ['history'], of: LATER },
      { in: ['family/a program that calls functions'], fields: ['body.order'], at: ['history'], of: [4] },
      {
        in: ['family/web search with sources', 'family/web search preview'],
        fields: ['body.items.*', 'body.order'],
        at: ['history'],
        of: LATER,
      },
    ],
  },
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
    open: 'cause 11',
    what: 'The answer to an approval that the stock provider asked for is dropped',
    right: 'stock',
    why: 'The tool of the server never runs.',
    seen: [
      {
        in: ['family/hosted MCP, approved', 'family/hosted MCP, denied'],
        fields: ['body.items.*', 'body.order'],
        values: [ANY, ANY],
        at: ['history'],
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
];
