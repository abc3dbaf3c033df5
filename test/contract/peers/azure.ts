import { DIFFERENCES } from '../differences.js';
import { ANY, type Difference } from '../differences/difference.js';
import { OPEN_DIFFERENCES } from '../differences/open.js';
import { OPENAI_SCENARIOS } from '../run.js';
import type { Contract } from '../suite.js';

/** What `@ai-sdk/azure` does otherwise than `@ai-sdk/openai` of the same major does, and we too. */
export const AZURE_DIFFERENCES: readonly Difference[] = [
  {
    what: 'Azure: Default API version',
    stock: '`?api-version=v1`',
    ours: 'none, unless you set `apiVersion`',
    right: 'either',
    why: 'The path `/openai/v1` already contains the version. For a dated version, this package uses the older path `/openai/responses`. The Azure provider keeps `/openai/v1/responses`, which Azure offers only for `v1` and `preview`.',
    seen: [
      { in: ['request/*'], fields: ['url'], values: [/\?api-version=v1$/, /\/openai\/v1\/responses$/] },
      {
        in: ['*'],
        fields: ['rejects.url', 'onError[*].url'],
        values: [/\?api-version=v1$/, /\/openai\/v1\/responses$/],
      },
      {
        in: ['failure/*'],
        fields: ['rejects.message', 'onError[*].message'],
        values: [ANY, /\[https:\/\/pond\.openai\.azure\.com\/openai\/v1\/responses\]|no Responses API|ended|azure/],
      },
    ],
  },
  {
    what: 'Azure: Call options under `azure`',
    stock: 'V2: ignored, but an invalid option causes the error "invalid azure provider options"',
    ours: 'read; options under `openai` are read only if `azure` is absent',
    right: 'either',
    why: 'The Azure provider does the same with V3 and V4.',
    seen: [
      {
        in: ['request/*'],
        fields: ['rejects.message'],
        values: ['invalid azure provider options', /^The option /],
      },
    ],
  },
  {
    what: 'Azure: Encrypted reasoning and message phases (`phase`) in the history',
    stock: 'V2: written under `azure`, but not read from there',
    ours: 'read',
    right: 'ours',
    why: 'The model keeps its earlier reasoning.',
    seen: [
      {
        in: [
          'family/JSON behind a commentary',
          'family/a call before a text',
          'reasoning-and-tool',
          'turns/reasoning-and-tool',
        ],
        fields: ['body.items.*', 'body.order', 'warnings[*]'],
        of: [2],
      },
    ],
  },
  {
    what: 'Azure: Accepted ids of uploaded files',
    stock: 'V2, V3: only ids that begin with `assistant-`',
    ours: 'also ids that begin with `file-`',
    right: 'ours',
    why: "Azure's API uses both, and the Azure provider accepts both with V4.",
    seen: [
      {
        in: ['request/an image the server keeps'],
        fields: ['body.input[*].content[*].image_url', 'body.input[*].content[*].file_id'],
        of: [2, 3],
      },
    ],
  },
  {
    what: 'Azure: Id of a skill that was uploaded earlier',
    stock: 'V4: looked up under `openai`',
    ours: 'looked up under `azure`, or else under `openai`',
    right: 'ours',
    why: 'The Azure provider itself looks up file ids under `azure`.',
    seen: [
      {
        in: ['request/tool shell: a skill by reference', 'request/tool shell: a skill in a version'],
        fields: ['outcome'],
        of: [4],
      },
      { in: ['request/tool shell: a skill of another provider'], fields: ['rejects.*'], of: [4] },
    ],
  },
  {
    what: 'Azure: Newer features of the stock provider',
    stock:
      'not available (refusals, citations, search sources, and several options for functions, formats and tools), because the Azure provider contains an older release of the stock provider (V3: 3.0.120, V4: 4.0.81)',
    ours: 'the same as for OpenAI',
    right: 'ours',
    why: 'The API is the same.',
    seen: [
      {
        in: ['family/a call that is not waited for'],
        fields: ['*'],
      },
      {
        // As `@ai-sdk/openai` 4 has it since.
        in: ['truncated-in-arguments*', 'failure/ends after text'],
        fields: ['finishReason'],
        values: ['other', 'interrupted'],
        of: [4],
      },
      {
        in: [
          'family/a call in a namespace',
          'family/a call of the wrapper for parallel calls',
          'family/the context of the reasoning, and what the cache says',
          'family/tool search at the server',
          'family/web search preview',
          'family/web search that failed',
          'family/web search with sources',
          'refusal',
          'refusal/1',
          'request/function async*',
          'request/function deferLoading*',
          'request/function namespace*',
          'request/message, system message: textFormatUpdate',
          'request/option promptCacheOptions, wrong: {"prewarm":"yes"}',
          'request/option textFormat*',
          'request/together: allowedTools: a deferred function',
          'request/together: allowedTools: a function in a namespace',
          'request/together: allowedTools: nothing that can be allowed',
          'request/together: azure: options of a function',
          'request/together: parallel calls taken apart, with previousResponseId',
          'request/together: textFormat and a schema of the answer',
          'written/text beside a refusal',
        ],
        fields: ['*'],
        of: [3, 4],
      },
      {
        in: [
          'failure/nested error event first',
          'request/history: text with its id and phase',
          'request/message, assistant text: item id',
          'request/option promptCacheOptions: {"ttl":"12h","prewarm":true,"comparisonResponseId":"resp_0"}',
          'request/option serviceTier: "ultrafast"',
        ],
        fields: ['*'],
        of: [3],
      },
      {
        in: [
          'family/a call by the model itself, said so',
          'family/a program that calls functions',
          'family/shell on the client',
          'openai-text/1',
          'request/function allowedCallers*',
          'request/function omitFromRequestTools',
          'request/function outputSchema',
          'request/message, result text of a function with an output schema',
          'request/message, system message: additionalTools*',
          'request/option promptCacheOptions: {"ttl":"12h","prewarm":true,"comparisonResponseId":"resp_0"}',
          'request/tool codeInterpreter: *',
          'request/tool mcp: a tunnel',
          'written/container file citation',
          'written/file citation',
          'written/url citation',
        ],
        fields: ['*'],
        of: [4],
      },
    ],
  },
];

/** The same model code as that of `@ai-sdk/openai`, with URLs, keys and a namespace of its own. */
export const AZURE_CONTRACT: Contract = {
  scenarios: OPENAI_SCENARIOS,
  differences: AZURE_DIFFERENCES,
  shared: [...DIFFERENCES, ...OPEN_DIFFERENCES],
};
