import type { LoopCallOptions } from '../../src/settings/loop-settings.js';
import type { ResponsesCallOptions } from '../../src/request/call-options.js';

void ({
  conversation: { id: 'conv_1' },
  logprobs: 5,
  include: ['web_search_call.results'],
  allowedTools: { toolNames: ['add'], mode: 'required' },
  promptCacheKey: 'auto',
  reasoningEffort: 'of-tomorrow',
  contextManagement: [{ type: 'compaction', compactThreshold: 1000 }],
  prompt: { id: 'pmpt_1', variables: { city: 'Paris' } },
  user: null,
} satisfies ResponsesCallOptions);
// @ts-expect-error a word that no server knows
void ({ truncation: 'on' } satisfies ResponsesCallOptions);
// @ts-expect-error a text for a number
void ({ logprobs: '5' } satisfies ResponsesCallOptions);
// @ts-expect-error an option that does not exist
void ({ reasoningEfort: 'low' } satisfies ResponsesCallOptions);
// @ts-expect-error a member that does not exist
void ({ promptCacheOptions: { time: '30m' } } satisfies ResponsesCallOptions);
void ({ store: true, loop: { maxRounds: 3 } } satisfies LoopCallOptions);
// @ts-expect-error a setting of the provider alone
void ({ loop: { baseURL: 'x' } } satisfies LoopCallOptions);
