import type { Major } from '../../sides.js';
import { ABSENT, ANY, STREAMS } from '../difference.js';
import type { OpenDifference } from './open-difference.js';

const LATER: readonly Major[] = [3, 4];
const PROGRAM = ['family/a program that calls functions'];
const NAMESPACES = ['family/tool search at the server', 'family/a call in a namespace'];

export const OPEN_CALLS: readonly OpenDifference[] = [
  {
    open: 'cause 9',
    what: 'Members of a call are lost: namespace, caller, async, on the way out and back (D1, D2)',
    right: 'stock',
    why: 'OpenAI refuses the next request without its namespace.',
    seen: [
      {
        in: NAMESPACES,
        fields: ['calls[*].metadata', 'results[*].metadata'],
        values: [/"namespace":"world"/, ABSENT],
        of: LATER,
      },
      {
        in: NAMESPACES,
        fields: ['body.items.*.namespace'],
        values: ['world', ABSENT],
        of: LATER,
      },
      {
        in: ['request/message, call: namespace'],
        fields: ['body.input[*].namespace'],
        values: ['ducks', ABSENT],
        of: LATER,
      },
      {
        in: ['family/a call that is not waited for'],
        fields: ['calls[*].metadata', 'results[*].metadata'],
        values: [/"async":true/, ABSENT],
      },
      { in: ['family/a call that is not waited for'], fields: ['body.items.*.async'], values: [true, ABSENT] },
      { in: ['request/message, call: async'], fields: ['body.input[*].async'], values: [true, ABSENT] },
      {
        in: [...PROGRAM, 'family/a call by the model itself, said so'],
        fields: ['body.items.*.caller'],
        values: [ANY, ABSENT],
        of: [4],
      },
      {
        in: ['family/a call by the model itself, said so'],
        fields: ['calls[*].metadata', 'results[*].metadata'],
        values: [/"caller"/, ABSENT],
        of: [4],
      },
      {
        in: ['request/message, call and result: caller, *'],
        fields: ['body.input[*].caller'],
        values: [ANY, ABSENT],
        of: [4],
      },
      {
        in: PROGRAM,
        fields: ['calls[*]*', 'results[*]*', 'reasoning*', 'order', 'messages[*]'],
        of: [4],
      },
    ],
  },
  {
    open: 'item 1',
    what: 'The wrapper for parallel calls: taken apart as the stock provider does, but not told in metadata',
    right: 'stock',
    why: 'With a conversation the server knows only the wrapper’s call.',
    seen: [
      {
        in: ['family/a call of the wrapper for parallel calls'],
        fields: ['calls[*].metadata', 'results[*].metadata'],
        values: [/parallelToolCall/, ABSENT],
        of: LATER,
      },
      {
        in: ['family/a call of the wrapper for parallel calls'],
        fields: ['inputs[*]'],
        values: [ANY, ABSENT],
        at: ['doStream'],
        of: LATER,
      },
      {
        in: ['family/a call of the wrapper for parallel calls'],
        fields: ['order'],
        values: [/tool-input-end tool-call/, ANY],
        at: STREAMS,
        of: LATER,
      },
    ],
  },
];
