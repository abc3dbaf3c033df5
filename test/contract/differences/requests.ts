import { ABSENT, ANY, type Difference } from './difference.js';

/** What is sent for the same call. */
export const REQUEST_DIFFERENCES: readonly Difference[] = [
  {
    what: 'Where nothing is asked for: `store`',
    stock: 'not sent, so the server keeps the response; parts carry item ids',
    ours: '`store: false`, and sealed reasoning is asked for; item ids only where the server keeps items',
    right: 'either',
    why: 'Nothing is kept unless you say so. With `store: true` both send the same.',
    seen: [
      { in: ['request/*'], fields: ['body.store'], values: [ABSENT, false] },
      { in: ['request/*'], fields: ['body.include'], values: [ABSENT, '["reasoning.encrypted_content"]'] },
      { in: ['request/*'], fields: ['body.include[*]'], values: [ANY, /^[\w.]+$/] },
      {
        in: ['by default/*'],
        fields: ['calls[*].metadata', 'text[*].metadata', 'text[*].metadata.itemId', 'reasoning[*].metadata'],
        values: [ANY, ABSENT],
      },
    ],
  },
  {
    what: 'Form of messages',
    stock: 'as short as OpenAI takes them',
    ours: 'whole items: `type`, for assistants `status` and `annotations`, content of system messages in parts',
    right: 'either',
    why: 'OpenAI reads both alike; other servers refuse the short form.',
    seen: [
      { in: ['request/*'], fields: ['body.input[*].type'], values: [ABSENT, 'message'] },
      { in: ['request/history: *'], fields: ['body.input[*].status'], values: [ABSENT, 'completed'] },
      {
        in: ['request/history: *'],
        fields: ['body.input[*].content[*].annotations'],
        values: [ABSENT, '[]'],
        of: [2, 3],
      },
      { in: ['request/history: *'], fields: ['body.input[*].content'], values: ['Ponds.', /output_text/], of: [4] },
      {
        in: ['request/a system message*'],
        fields: ['body.input[*].content'],
        values: ['Be brief.', '[{"type":"input_text","text":"Be brief."}]'],
      },
    ],
  },
  {
    what: 'System message for a reasoning model',
    stock: 'role `developer`',
    ours: 'role `system`',
    right: 'either',
    why: 'OpenAI takes one for the other; other servers know only `system`.',
    seen: [{ in: ['request/a system message'], fields: ['body.input[*].role'], values: ['developer', 'system'] }],
  },
  {
    what: '`toolChoice: auto`',
    stock: 'sent',
    ours: 'not sent',
    right: 'either',
    why: 'It is what servers do anyway.',
    seen: [{ in: ['request/tool choice auto'], fields: ['body.tool_choice'], values: ['auto', ABSENT] }],
  },
  {
    what: 'Reasoning options for a model that does not reason',
    stock: 'left out, with a warning',
    ours: 'sent',
    right: 'either',
    why: 'Model names say little elsewhere. If the server refuses one, the request is sent again without it.',
    seen: [
      {
        in: ['request/reasoning options of a model that does not reason'],
        fields: ['body.reasoning'],
        values: [ABSENT, ANY],
      },
      { in: ['request/reasoning options of a model that does not reason'], fields: ['warnings'], values: [2, 0] },
    ],
  },
  {
    what: 'Provider options that do not exist',
    stock: 'passed over',
    ours: 'passed over, with a warning',
    right: 'ours',
    why: 'Mostly a slip of the pen.',
    seen: [{ in: ['request/an option nobody knows'], fields: ['warnings'], values: [0, 1] }],
  },
  {
    what: 'Files',
    stock: 'text files are refused; `image/*` is taken for a JPEG; a PDF without a name is `part-1.pdf`',
    ours: 'text files are sent; `image/*` is taken for a PNG if it cannot be told; `file.pdf`',
    right: 'either',
    why: 'What the server takes, it knows best.',
    seen: [
      {
        in: ['request/a text file'],
        fields: ['outcome'],
        values: [/^rejects AI_UnsupportedFunctionality/, 'answers'],
        of: [2, 3],
      },
      {
        in: ['request/an image in base64'],
        fields: ['body.input[*].content[*].image_url'],
        values: [/^data:image\/jpeg/, /^data:image\/png/],
        of: [2, 3],
      },
      {
        in: ['request/a PDF without a name'],
        fields: ['body.input[*].content[*].filename'],
        values: ['part-1.pdf', 'file.pdf'],
        of: [2, 3],
      },
    ],
  },
  {
    what: 'Ids of items in the history',
    stock: '`store: false`: sent along',
    ours: 'left out',
    right: 'ours',
    why: 'Nobody keeps these items; servers that look them up fail.',
    seen: [
      {
        in: ['request/history: sealed reasoning*'],
        fields: ['body.input[*].id'],
        values: [/^(rs|fc)_1$/, ABSENT],
      },
      {
        in: ['request/history: text with its id and phase'],
        fields: ['body.input[*].id'],
        values: ['msg_1', ABSENT],
        of: [2],
      },
    ],
  },
  {
    what: 'History that the server keeps (`store: true`)',
    stock: 'references (`item_reference`)',
    ours: 'whole items. Reasoning without its seal is left out: to keep it use `previousResponseId`',
    right: 'either',
    why: 'A reference holds only where that server made it, and a call whose reasoning is gone is refused.',
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
    what: 'Output of a tool in parts that are all text',
    stock: 'a list of parts',
    ours: 'a text',
    right: 'either',
    why: 'Every server takes that.',
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
    stock: 'sent as they are, and refused by the server',
    ours: 'the call gets an output that says it was interrupted; the output is left out',
    right: 'ours',
    why: 'A conversation that was cut goes on.',
    seen: [
      {
        in: ['request/history: a call without an output', 'request/history: an output without a call'],
        fields: ['body.input*'],
      },
    ],
  },
  {
    what: 'Reasoning in the history that cannot be sent',
    stock: 'left out, with a warning',
    ours: 'left out',
    right: 'either',
    why: 'It is so for every conversation that changes its model.',
    seen: [
      {
        in: ['request/history: reasoning without its seal', 'request/history: reasoning of another provider'],
        fields: ['warnings'],
        values: [1, 0],
      },
    ],
  },
];
