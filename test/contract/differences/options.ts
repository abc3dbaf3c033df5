import type { Major } from '../sides.js';
import { ABSENT, ANY, type Difference } from './difference.js';

const LATER: readonly Major[] = [3, 4];
const ASYNC = ['family/a call that is not waited for', 'request/function async, for a model that has no such calls'];

/** What comes of options that cannot be sent as they are. */
export const OPTION_DIFFERENCES: readonly Difference[] = [
  {
    what: 'Options and hosted-tool arguments that have the wrong type or an unknown value',
    stock: '`InvalidArgumentError` ("invalid openai provider options"); for hosted tools, `TypeValidationError`',
    ours: '`invalid-options`, with the name, the value and the allowed values',
    right: 'ours',
    why: "Both providers fail before they send anything. This package's message explains the fix.",
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
    what: 'Unknown arguments for image generation',
    stock: '`TypeValidationError`',
    ours: 'sent',
    right: 'ours',
    why: 'OpenAI keeps adding new arguments. For all other hosted tools, neither provider rejects unknown arguments.',
    seen: [
      {
        in: ['request/tool imageGeneration: an argument it has not'],
        fields: ['outcome'],
        values: [/^rejects AI_TypeValidationError/, 'answers'],
      },
    ],
  },
  {
    what: 'Tool settings that cannot be sent: a skill that was uploaded only to another provider, or an `allowedTools` option that allows no tools',
    stock:
      'skill: V3 sends the skill, V4 throws `NoSuchProviderReferenceError`; `allowedTools`: V3 and V4 throw `UnsupportedFunctionalityError`',
    ours: '`invalid-options`, with the fix',
    right: 'either',
    why: 'Both providers detect the problem before they send anything.',
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
    what: 'Warning messages',
    stock: 'a short `details` or `message`, or none',
    ours: 'each names what was left out, the reason and the fix',
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
    what: 'Warning about `async` for a model that does not support `async`',
    stock: 'V2: `unsupported-tool`, with the tool',
    ours: "V2: `unsupported-setting`, with the tool's name",
    right: 'either',
    why: 'The tool is sent, but without this setting.',
    seen: [
      { in: ASYNC, fields: ['warnings[*].type'], values: ['unsupported-tool', 'unsupported-setting'], of: [2] },
      { in: ASYNC, fields: ['warnings[*].tool'], values: [ANY, ABSENT], of: [2] },
      { in: ASYNC, fields: ['warnings[*].setting'], values: [ABSENT, /^async tool calling/], of: [2] },
    ],
  },
  {
    what: 'A system message that changes the reasoning effort or the answer format, and also contains text',
    stock: 'rejected',
    ours: 'the change is sent, followed by the text',
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
    what: "Options for a tool's output: `imageDetail`, cache breakpoints",
    stock: 'V2: ignored',
    ours: 'sent',
    right: 'either',
    why: 'The stock provider does the same with V3 and V4.',
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
    what: '`additionalTools` after a tool result',
    stock: 'V4: sent',
    ours: 'only tools that the call declares are sent, with a warning about the others',
    right: 'ours',
    why: 'Otherwise, the model would trust the additional tools, even though the history may come from a browser.',
    seen: [{ in: ['request/message, result: additionalTools'], fields: ['warnings[*]', 'body.input[*]*'], of: [4] }],
  },
  {
    what: '`omitFromRequestTools` for every tool in the call',
    stock: 'V4: an empty `tools` list',
    ours: 'no `tools`',
    right: 'either',
    why: 'The server treats both requests alike.',
    seen: [{ in: ['request/function omitFromRequestTools'], fields: ['body.tools'], values: ['[]', ABSENT], of: [4] }],
  },
];
