import { ABSENT, type Difference } from './difference.js';

/** What is sent of the turns before. */
export const HISTORY_DIFFERENCES: readonly Difference[] = [
  {
    what: 'Item ids in the history',
    stock: 'sent even with `store: false`',
    ours: 'left out',
    right: 'ours',
    why: 'These items are not stored, and servers that look up the ids return an error.',
    seen: [
      {
        in: ['request/history: sealed reasoning*'],
        fields: ['body.input[*].id'],
        values: [/^(rs|fc)_1$/, ABSENT],
      },
      {
        in: ['request/history: text with its id and phase', 'request/message, assistant text: item id'],
        fields: ['body.input[*].id'],
        values: ['msg_1', ABSENT],
        of: [2],
      },
      { in: ['family/*', 'turns/*'], fields: ['body.items*.id'], values: [/^[a-z]+[_-][\w-]+$/, ABSENT] },
    ],
  },
  {
    what: 'History that the server stores (`store: true`)',
    stock: 'references (`item_reference`)',
    ours: 'complete items. Unencrypted reasoning is left out; to keep this reasoning, use `previousResponseId`.',
    right: 'either',
    why: 'A reference works only on the server that created the item. Servers also reject a reference to a tool call if the reasoning that led to it is missing.',
    seen: [
      {
        in: [
          'request/history: text, kept by the server',
          'request/history: call with its id, kept by the server',
          'request/history: reasoning, kept by the server',
        ],
        fields: ['body.input*'],
      },
    ],
  },
  {
    what: 'Tool output that consists only of text parts',
    stock: 'a list of parts',
    ours: 'a string',
    right: 'either',
    why: 'Every server accepts a string.',
    seen: [
      {
        in: ['request/history: output with text parts'],
        fields: ['body.input[*].output'],
        values: ['[{"type":"input_text","text":"2"}]', '2'],
      },
    ],
  },
  {
    what: 'Calls without an output, and outputs without a call',
    stock: 'sent unchanged, and rejected by the server',
    ours: 'a call that was passed to your code gets an output that marks the call as interrupted; all other unmatched calls and outputs, and all duplicates, are left out, with a warning',
    right: 'ours',
    why: 'An interrupted conversation can continue.',
    seen: [
      {
        in: ['request/history: a call without an output', 'request/history: an output without a call'],
        fields: ['body.input*'],
      },
    ],
  },
  {
    what: 'Reasoning in the history, if the provider cannot send it',
    stock: 'left out, with a warning',
    ours: 'left out without a warning',
    right: 'either',
    why: 'This happens in every conversation that switches models.',
    seen: [
      {
        in: ['request/history: reasoning without its seal', 'request/history: reasoning of another provider'],
        fields: ['warnings[*]'],
        values: [/other/, ABSENT],
      },
    ],
  },
  {
    what: 'Items before a server-side summary (`compaction`)',
    stock: 'V4: sent again',
    ours: 'left out, except system messages and calls whose outputs came after the summary',
    right: 'ours',
    why: 'The summary covers these items. Without this rule, a long conversation would keep growing.',
    seen: [{ in: ['family/compaction'], fields: ['body.items.*', 'body.order'], of: [4] }],
  },
];
