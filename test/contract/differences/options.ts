import type { Major } from '../sides.js';
import { ABSENT, ANY, type Difference } from './difference.js';

const LATER: readonly Major[] = [3, 4];
const ASYNC = ['family/a call that is not waited for', 'request/function async, for a model that has no such calls'];

/** What comes of options that cannot be sent as they are. */
export const OPTION_DIFFERENCES: readonly Difference[] = [
  {
    what: 'Options, and arguments of hosted tools, with a wrong type or an unknown value',
    stock: '`InvalidArgumentError`: “invalid openai provider options”; of hosted tools `TypeValidationError`',
    ours: '`invalid-options`, with name, value and the allowed values',
    right: 'ours',
    why: 'Both refuse before anything is sent; the message names the fix.',
    seen: [
      {
        in: ['request/option *, wrong: *', 'request/message, system message: reasoningEffortUpdate of a wrong value'],
        fields: ['rejects.name'],
        values: [/AI_InvalidArgumentError/, /ResponsesLoopError/],
      },
      {
        in: ['request/message, system message: additionalTools of a wrong form'],
        fields: ['rejects.name'],
        values: [/AI_InvalidArgumentError/, /ResponsesLoopError/],
        of: [4],
      },
      {
        in: ['request/*'],
        fields: ['rejects.message'],
        values: ['invalid openai provider options', /^The option /],
      },
      {
        in: ['request/tool *'],
        fields: ['rejects.name', 'rejects.message'],
        values: [/TypeValidationError|^Type validation failed/, /ResponsesLoopError|^The option /],
      },
    ],
  },
  {
    what: 'An argument of image generation that the schema does not have',
    stock: '`TypeValidationError`',
    ours: 'sent',
    right: 'ours',
    why: 'The API keeps getting new arguments; those of all other tools are sent or left out, never refused.',
    seen: [
      {
        in: ['request/tool imageGeneration: an argument it has not'],
        fields: ['outcome'],
        values: [/^rejects AI_TypeValidationError/, 'answers'],
      },
    ],
  },
  {
    what: 'Tools that cannot be sent: a skill without an id for the provider, `allowedTools` without any allowed tool',
    stock: '3: the skill is sent; 3, 4: `UnsupportedFunctionalityError`; 4: `NoSuchProviderReferenceError`',
    ours: '`invalid-options`, with the fix',
    right: 'either',
    why: 'Both detect it before anything is sent.',
    seen: [
      {
        in: ['request/together: allowedTools: nothing that can be allowed'],
        fields: ['rejects.name', 'rejects.message'],
        values: [/AI_Unsupported|not supported/, /ResponsesLoopError|allows nothing/],
        of: LATER,
      },
      {
        in: ['request/tool shell: a skill of another provider'],
        fields: ['rejects.name', 'rejects.message'],
        values: [/NoSuchProviderReference|No provider reference/, /ResponsesLoopError|has no id for openai/],
        of: [4],
      },
    ],
  },
  {
    what: 'Texts of warnings',
    stock: 'a short `details` or `message`, or none',
    ours: 'what was left out, why, and the fix',
    right: 'either',
    why: 'The type and the `feature` are the same.',
    seen: [
      {
        in: ['request/together: forceReasoning and temperature'],
        fields: ['warnings[*].details'],
        values: [/not supported/, /was not sent/],
        of: LATER,
      },
      {
        in: [
          ...ASYNC,
          'request/settings this API has not',
          'request/sampling settings of a reasoning model',
          'request/option reasoningEffortUpdate: "low"',
          'request/together: conversation and previousResponseId',
        ],
        fields: ['warnings[*].details'],
        values: [ANY, /sent|together/],
      },
      {
        in: ['request/tool customTool: async', 'request/together: allowedTools: *'],
        fields: ['warnings[*].details'],
        values: [ANY, /sent|left out|as the call does/],
        of: LATER,
      },
      {
        in: ['request/together: systemMessageMode: remove, with a system message'],
        fields: ['warnings[*].message'],
        values: [/are removed/, /were not sent/],
        of: LATER,
      },
    ],
  },
  {
    what: 'The warning about `async` for a model without such calls',
    stock: '2: `unsupported-tool`, with the tool',
    ours: 'V2: `unsupported-setting`, with the name of the tool',
    right: 'either',
    why: 'The tool is sent; one of its settings is not.',
    seen: [
      { in: ASYNC, fields: ['warnings[*].type'], values: ['unsupported-tool', 'unsupported-setting'], of: [2] },
      { in: ASYNC, fields: ['warnings[*].tool'], values: [ANY, ABSENT], of: [2] },
      { in: ASYNC, fields: ['warnings[*].setting'], values: [ABSENT, /^async tool calling/], of: [2] },
    ],
  },
  {
    what: 'A change of effort or format in a system message with text',
    stock: 'refused',
    ours: 'sent, followed by the text',
    right: 'either',
    why: 'The meaning is clear.',
    seen: [
      {
        in: ['request/message, system message: reasoningEffortUpdate beside words'],
        fields: ['outcome'],
        values: [/^rejects AI_UnsupportedFunctionality/, 'answers'],
      },
    ],
  },
  {
    what: "Options on a tool's output: `imageDetail`, cache breakpoints",
    stock: '2: not read',
    ours: 'sent',
    right: 'either',
    why: 'Same as the stock provider in 3 and 4.',
    seen: [
      { in: ['request/message, result part: imageDetail'], fields: ['body.input[*].output[*].detail'], of: [2] },
      {
        in: ['request/message, result part: cache breakpoint'],
        fields: ['body.input[*].output[*].prompt_cache_breakpoint'],
        values: [ABSENT, ANY],
        of: [2],
      },
      {
        in: ['request/message, result: cache breakpoint of its output'],
        fields: ['body.input[*].output'],
        values: ['2', /prompt_cache_breakpoint/],
        of: [2],
      },
    ],
  },
  {
    what: "`additionalTools` after a tool's result",
    stock: '4: sent',
    ours: 'only those that the call declares, with a warning about the others',
    right: 'ours',
    why: 'A history may come from a browser, and the model would trust it.',
    seen: [{ in: ['request/message, result: additionalTools'], fields: ['warnings[*]', 'body.input[*]*'], of: [4] }],
  },
  {
    what: 'No tools left because all are excluded from the request (`omitFromRequestTools`)',
    stock: '4: an empty `tools`',
    ours: 'no `tools`',
    right: 'either',
    why: 'The server treats both alike.',
    seen: [{ in: ['request/function omitFromRequestTools'], fields: ['body.tools'], values: ['[]', ABSENT], of: [4] }],
  },
];
