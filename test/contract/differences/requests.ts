import { ABSENT, ANY, type Difference } from './difference.js';

/** Metadata that says nothing but the item's id. */
const ONLY_ID = /^\{"itemId":"[^"]*"\}$/;

const TOOLS_OF_2 = ['webSearch', 'fileSearch', 'codeInterpreter', 'imageGeneration'];

/** What is sent for the same call. */
export const REQUEST_DIFFERENCES: readonly Difference[] = [
  {
    what: 'Default for `store`',
    stock: 'not sent, so the server stores the response; parts have item ids',
    ours: '`store: false`, with a request for encrypted reasoning; item ids only if the server stores items',
    right: 'either',
    why: 'Nothing is stored unless you opt in. With `store: true`, both providers send `true`.',
    seen: [
      { in: ['request/*'], fields: ['body.store'], values: [ABSENT, false] },
      { in: ['request/*'], fields: ['body.include'], values: [ABSENT, '["reasoning.encrypted_content"]'] },
      { in: ['*'], fields: ['body.include[*]'], values: [ANY, /^[\w.]+$/] },
      {
        in: ['by default/*'],
        fields: ['calls[*].metadata', 'text[*].metadata', 'text[*].metadata.itemId', 'reasoning[*].metadata'],
        values: [ANY, ABSENT],
      },
      { in: ['family/*'], fields: ['calls[*].metadata', 'text[*].metadata'], values: [ONLY_ID, ABSENT] },
      { in: ['family/*'], fields: ['results[*].metadata'], values: [ONLY_ID, ABSENT] },
      { in: ['family/*'], fields: ['calls[*].metadata.itemId', 'results[*].metadata.itemId'], values: [ANY, ABSENT] },
      {
        in: ['family/a call before a text'],
        fields: ['reasoning[*].metadata'],
        values: [/sealed/, ABSENT],
      },
      {
        in: ['family/hosted MCP, approved'],
        fields: ['reasoning[*].metadata'],
        values: [/sealed/, ABSENT],
        of: [3, 4],
      },
      { in: ['family/compaction'], fields: ['custom[*].providerMetadata.itemId'], values: ['cmp_1', ABSENT], of: [4] },
    ],
  },
  {
    what: 'Message format',
    stock: 'the short form that OpenAI accepts',
    ours: 'complete items with `type`; assistant messages also have `status` and `annotations`; system messages are lists of parts',
    right: 'either',
    why: 'OpenAI treats both forms alike; other servers reject the short form.',
    seen: [
      { in: ['request/*'], fields: ['body.input[*].type'], values: [ABSENT, 'message'] },
      { in: ['request/*'], fields: ['body.input[*].status'], values: [ABSENT, 'completed'] },
      { in: ['request/*'], fields: ['body.input[*].content[*].annotations'], values: [ABSENT, '[]'], of: [2, 3] },
      { in: ['request/*'], fields: ['body.input[*].content'], values: [/^[A-Z]/, /output_text/], of: [4] },
      { in: ['*'], fields: ['body.items.user*.type', 'body.items.assistant*.type'], values: [ABSENT, 'message'] },
      { in: ['*'], fields: ['body.items.assistant*.status'], values: [ABSENT, 'completed'] },
      { in: ['*'], fields: ['body.items.assistant*.annotations'], values: [ABSENT, '[]'], of: [2, 3] },
      { in: ['*'], fields: ['body.items.assistant*.content'], values: [/^[A-Z{]/, /output_text/], of: [4] },
      {
        in: ['request/a system message*'],
        fields: ['body.input[*].content'],
        values: ['Be brief.', '[{"type":"input_text","text":"Be brief."}]'],
      },
    ],
  },
  {
    what: 'System messages for reasoning models',
    stock: 'role `developer`',
    ours: 'role `system`',
    right: 'either',
    why: 'OpenAI treats both roles alike; other servers accept only `system`.',
    seen: [
      {
        in: ['request/a system message', 'request/message, system message: *'],
        fields: ['body.input[*].role'],
        values: ['developer', 'system'],
      },
    ],
  },
  {
    what: '`toolChoice: auto`',
    stock: 'sent',
    ours: 'not sent',
    right: 'either',
    why: 'Servers use `auto` by default.',
    seen: [
      {
        in: ['request/tool choice auto', 'family/*', 'turns/*'],
        fields: ['body.tool_choice'],
        values: ['auto', ABSENT],
      },
    ],
  },
  {
    what: 'Settings that, going by its name, the model does not support (reasoning options, service tiers, and system messages that change settings)',
    stock: 'left out, with a warning; system messages that change settings cause an error',
    ours: 'sent',
    right: 'either',
    why: 'On other servers, model names mean little. If the server rejects an option, this package repeats the request without that option.',
    seen: [
      {
        in: [
          'request/reasoning options of a model that does not reason',
          'request/together: reasoningMode of a model that does not reason',
        ],
        fields: ['body.reasoning'],
        values: [ABSENT, ANY],
      },
      {
        in: ['request/together: serviceTier flex of a model that has none'],
        fields: ['body.service_tier'],
        values: [ABSENT, 'flex'],
      },
      {
        in: [
          'request/reasoning options of a model that does not reason',
          'request/together: reasoningMode of a model that does not reason',
          'request/together: serviceTier flex of a model that has none',
        ],
        fields: ['warnings[*]'],
        values: [/unsupported/, ABSENT],
      },
      {
        in: ['request/message, system message: reasoningEffortUpdate, for a model that has no updates'],
        fields: ['outcome'],
        values: [/^rejects AI_UnsupportedFunctionality/, 'answers'],
      },
    ],
  },
  {
    what: 'Unknown provider options',
    stock: 'ignored',
    ours: 'ignored, with a warning',
    right: 'ours',
    why: 'An unknown option is usually a typo.',
    seen: [
      {
        in: ['request/an option nobody knows'],
        fields: ['warnings[*]'],
        values: [ABSENT, /"ducks\\\\?" is not known/],
      },
    ],
  },
  {
    what: 'An empty `include`',
    stock: 'sent',
    ours: 'not sent',
    right: 'either',
    why: 'An empty list requests nothing.',
    seen: [{ in: ['request/option include: []'], fields: ['body.include'], values: ['[]', ABSENT] }],
  },
  {
    what: 'Forced choice of a hosted tool',
    stock:
      "local shell, shell and tool search are chosen by name, like functions; MCP is chosen without `server_label`; V2: hosted tools are chosen by their key in the call's `tools`",
    ours: 'chosen by type, and MCP also by `server_label`',
    right: 'ours',
    why: 'The server has no function with that name.',
    seen: [
      {
        in: TOOLS_OF_2.map((tool) => `request/together: toolChoice: ${tool}`),
        fields: ['body.tool_choice.type', 'body.tool_choice.name'],
        values: [/^(function|look|files|code|it)$/, ANY],
        of: [2],
      },
      {
        in: ['request/together: toolChoice: localShell'],
        fields: ['body.tool_choice.type'],
        values: ['function', ANY],
      },
      { in: ['request/together: toolChoice: localShell'], fields: ['body.tool_choice.name'], values: [ANY, ABSENT] },
      {
        in: ['request/together: toolChoice: shell', 'request/together: toolChoice: toolSearch'],
        fields: ['body.tool_choice.type'],
        values: ['function', ANY],
        of: [3, 4],
      },
      {
        in: ['request/together: toolChoice: shell', 'request/together: toolChoice: toolSearch'],
        fields: ['body.tool_choice.name'],
        values: [ANY, ABSENT],
        of: [3, 4],
      },
      {
        in: ['request/together: toolChoice: mcp'],
        fields: ['body.tool_choice.server_label'],
        values: [ABSENT, 'docs'],
        of: [3, 4],
      },
    ],
  },
  {
    what: 'User messages before the last answer, if `conversation` is set',
    stock: 'sent again',
    ours: 'left out',
    right: 'ours',
    why: 'The conversation already contains these messages.',
    seen: [
      { in: ['request/together: conversation: what the server has'], fields: ['body.input[*]*'] },
      {
        in: ['request/together: parallel calls taken apart, with a conversation'],
        fields: ['body.input[*]*'],
        of: [3, 4],
      },
    ],
  },
  {
    what: 'Output of a call that the user denied',
    stock: 'V3, V4: the reason, or "Tool call execution denied."',
    ours: 'a sentence that names the denied call and the reason, and tells the model not to retry',
    right: 'either',
    why: 'Otherwise, models request the call again.',
    seen: [
      {
        in: ['request/message, result that was denied'],
        fields: ['body.input[*].output'],
        values: ['No.', /was denied/],
        of: [3, 4],
      },
    ],
  },
  {
    what: 'Files',
    stock:
      'text files are rejected; `image/*` is sent as JPEG; a file without a name gets the name `part-1`, or `part-1.pdf` if it is a PDF',
    ours: 'text files are sent; `image/*` is sent as PNG if the format is not recognized; a file without a name gets the name `file`, plus an extension that matches its type',
    right: 'either',
    why: 'The server decides which files it accepts.',
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
      {
        in: ['request/message, user PDF: cache breakpoint'],
        fields: ['body.input[*].content[*].filename'],
        values: ['part-0.pdf', 'file.pdf'],
      },
      {
        in: ['request/together: passThroughUnsupportedFiles and a text file without a name'],
        fields: ['body.input[*].content[*].filename'],
        values: ['part-0', 'file.csv'],
        of: [3, 4],
      },
    ],
  },
];
