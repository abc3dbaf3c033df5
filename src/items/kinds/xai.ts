import { list, text } from '../fields.js';
import type { HostedKind } from '../kind.js';
import { argumentsOf, pick, texts } from '../members.js';

/** The common part of xAI's own tools: the question is a JSON text, as for a function. */
const askedByArguments = {
  input: (item) => argumentsOf(item['arguments']),
  result: (item) => pick(item, ['status', 'results', 'outputs']),
} satisfies Pick<HostedKind, 'input' | 'result'>;

export const xSearch = {
  ...askedByArguments,
  type: 'x_search_call',
  tool: 'x_search',
  changesNothing: true,
  steps: ['x_keyword_search', 'x_semantic_search', 'x_thread_fetch', 'x_user_search', 'view_x_video'],
  arguments: {
    'xai.x_search': {
      members: {
        allowedXHandles: texts,
        excludedXHandles: texts,
        fromDate: 'string',
        toDate: 'string',
        enableImageUnderstanding: 'boolean',
        enableVideoUnderstanding: 'boolean',
      },
    },
  },
  may: { arguments: text, results: list },
} as const satisfies HostedKind;

export const codeExecution = {
  ...askedByArguments,
  type: 'code_execution_call',
  tool: 'code_interpreter',
  may: { arguments: text, outputs: list },
} as const satisfies HostedKind;

export const viewImage = {
  ...askedByArguments,
  type: 'view_image_call',
  tool: 'view_image',
  may: { arguments: text },
} as const satisfies HostedKind;

export const viewVideo = {
  ...askedByArguments,
  type: 'view_x_video_call',
  tool: 'view_x_video',
  may: { arguments: text },
} as const satisfies HostedKind;
