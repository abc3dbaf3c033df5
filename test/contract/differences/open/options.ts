import type { Major } from '../../sides.js';
import { ABSENT, ANY } from '../difference.js';
import type { OpenDifference } from './open-difference.js';

const LATER: readonly Major[] = [3, 4];

export const OPEN_OPTIONS: readonly OpenDifference[] = [
  {
    open: 'cause 2',
    what: '`providerOptions.azure` is not read on calls',
    right: 'stock',
    why: 'Azure’s provider reads it before `openai`.',
    seen: [
      { in: ['request/together: azure: *'], fields: ['body.store'], values: [true, false], of: LATER },
      { in: ['request/together: azure: both names'], fields: ['body.user'], values: ['a', 'b'], of: LATER },
      {
        in: ['request/together: azure: options of the call'],
        fields: ['body.prompt_cache_key', 'body.reasoning'],
        values: [ANY, ABSENT],
        of: LATER,
      },
      {
        in: ['request/together: azure: options of a function'],
        fields: ['body.tools[*].defer_loading'],
        values: [true, ABSENT],
        of: LATER,
      },
    ],
  },
  {
    open: 'cause 3',
    what: 'Hosted MCP without `requireApproval`: `never` is not sent',
    right: 'stock',
    why: 'The API’s own default is `always`.',
    seen: [
      {
        in: [
          'request/tool mcp: *',
          'request/together: toolChoice: mcp',
          'request/together: allowedTools: an ambiguous kind',
        ],
        fields: ['body.tools[*].require_approval'],
        values: ['never', ABSENT],
        of: LATER,
      },
    ],
  },
  {
    open: 'cause 14',
    what: 'Reasoning effort without `reasoningSummary`: no summary is asked for',
    right: 'stock',
    why: 'Major 4 asks for a detailed one, so that there is reasoning to show. 2 and 3 do not.',
    seen: [
      {
        in: [
          'request/option reasoningEffort: "low"',
          'request/option reasoningEffort: "xhigh"',
          'request/together: reasoning of the call',
        ],
        fields: ['body.reasoning.summary'],
        values: ['detailed', ABSENT],
        of: [4],
      },
    ],
  },
  {
    open: 'cause 15',
    what: 'Options not known: compactionTrigger, includeWebSearchSources, textFormat, and textFormatUpdate and additionalTools of messages (D8)',
    right: 'stock',
    why: 'They are options of the API.',
    seen: [
      {
        in: ['request/option textFormat: *', 'request/together: textFormat and a schema of the answer'],
        fields: ['warnings[*]'],
        values: [ABSENT, /is not known/],
        of: LATER,
      },
      {
        in: [
          'request/option compactionTrigger: *',
          'request/option includeWebSearchSources: *',
          'request/together: compactionTrigger behind a history',
          'request/together: includeWebSearchSources: false and a web search',
        ],
        fields: ['warnings[*]'],
        values: [ABSENT, /is not known/],
        of: [4],
      },
      {
        in: ['request/option compactionTrigger: true', 'request/together: compactionTrigger behind a history'],
        fields: ['body.input[*]'],
        values: ['{"type":"compaction_trigger"}', ABSENT],
        of: [4],
      },
      {
        in: ['request/together: includeWebSearchSources: false and a web search'],
        fields: ['body.include'],
        values: [ABSENT, ANY],
        of: [4],
      },
      { in: ['request/option textFormat: *'], fields: ['body.text'], values: [ANY, ABSENT], of: LATER },
      { in: ['request/together: textFormat and a schema of the answer'], fields: ['body.text.format.*'], of: LATER },
      { in: ['request/message, system message: textFormatUpdate'], fields: ['body.input[*]*'], of: LATER },
      {
        in: ['request/message, system message: additionalTools', 'request/message, result: additionalTools'],
        fields: ['body.input[*]*'],
        of: [4],
      },
    ],
  },
  {
    open: 'cause 21',
    what: '`allowedTools`: kinds are not resolved, and what the server refuses there is sent without a warning',
    right: 'stock',
    why: 'The server refuses names it cannot see.',
    seen: [
      {
        in: ['request/together: allowedTools: a declared tool by its kind'],
        fields: ['body.tool_choice.tools[*].type', 'body.tool_choice.tools[*].name'],
        of: LATER,
      },
      {
        in: [
          'request/together: allowedTools: a name that is not there',
          'request/together: allowedTools: a deferred function',
          'request/together: allowedTools: a function in a namespace',
          'request/together: allowedTools: the tool search',
          'request/together: allowedTools: an ambiguous kind',
        ],
        fields: ['warnings[*]'],
        values: [/allowedTools entry/, ABSENT],
        of: LATER,
      },
      {
        in: [
          'request/together: allowedTools: a deferred function',
          'request/together: allowedTools: a function in a namespace',
          'request/together: allowedTools: the tool search',
          'request/together: allowedTools: an ambiguous kind',
        ],
        fields: ['body.tool_choice.tools[*]'],
        values: [ABSENT, ANY],
        of: LATER,
      },
      {
        in: ['request/together: allowedTools: nothing that can be allowed'],
        fields: ['outcome'],
        values: [/^rejects AI_UnsupportedFunctionality/, 'answers'],
        of: LATER,
      },
    ],
  },
  {
    open: 'cause 22',
    what: 'Warnings say what was not sent in a text only, not as type, feature and details',
    right: 'stock',
    why: 'Code that looks for a feature finds none.',
    seen: [
      {
        in: ['request/settings this API has not', 'request/sampling settings of a reasoning model'],
        fields: ['warnings[*].type'],
        values: [/^unsupported(-setting)?$/, 'other'],
      },
      {
        in: ['request/settings this API has not', 'request/sampling settings of a reasoning model'],
        fields: ['warnings[*].message'],
        values: [ABSENT, ANY],
      },
      {
        in: ['request/settings this API has not', 'request/sampling settings of a reasoning model'],
        fields: ['warnings[*].setting'],
        values: [ANY, ABSENT],
        of: [2],
      },
      {
        in: ['request/settings this API has not', 'request/sampling settings of a reasoning model'],
        fields: ['warnings[*].feature'],
        values: [ANY, ABSENT],
        of: LATER,
      },
      {
        in: ['request/sampling settings of a reasoning model'],
        fields: ['warnings[*].details'],
        values: [ANY, ABSENT],
      },
    ],
  },
  {
    open: 'cause 22',
    what: 'Two warnings are missing: conversation beside previousResponseId, and system messages that are removed',
    right: 'stock',
    why: 'What is not sent is said.',
    seen: [
      {
        in: ['request/together: conversation and previousResponseId'],
        fields: ['warnings[*]'],
        values: [/conversation/, ABSENT],
      },
      {
        in: ['request/together: systemMessageMode: remove, with a system message'],
        fields: ['warnings[*]'],
        values: [/system messages are removed/, ABSENT],
        of: LATER,
      },
    ],
  },
  {
    open: 'item 4',
    what: 'Options of a wrong JSON type, or with a value that is not on the stock provider’s list, are sent',
    right: 'stock',
    why: 'A slip is found before anything is sent.',
    seen: [
      {
        in: ['request/option *, wrong: *', 'request/message, system message: reasoningEffortUpdate of a wrong value'],
        fields: ['outcome'],
        values: [/^rejects AI_InvalidArgumentError/, 'answers'],
      },
      {
        in: ['request/message, system message: reasoningEffortUpdate beside words'],
        fields: ['outcome'],
        values: [/^rejects AI_UnsupportedFunctionality/, 'answers'],
      },
      {
        in: ['request/message, system message: additionalTools of a wrong form'],
        fields: ['outcome'],
        values: [/^rejects AI_InvalidArgumentError/, 'answers'],
        of: [4],
      },
      { in: ['request/tool *'], fields: ['outcome'], values: [/^rejects AI_TypeValidationError/, 'answers'] },
    ],
  },
  {
    open: 'item 4',
    what: '`forceReasoning` says that a model reasons, and is not believed',
    right: 'stock',
    why: 'Sampling settings are left out for models that reason, with a warning.',
    seen: [
      {
        in: ['request/together: forceReasoning and temperature'],
        fields: ['body.temperature'],
        values: [ABSENT, 0.5],
        of: LATER,
      },
      {
        in: ['request/together: forceReasoning and temperature'],
        fields: ['warnings[*]'],
        values: [/temperature/, ABSENT],
        of: LATER,
      },
    ],
  },
];
