import { generateText } from 'ai';
import { createResponsesProvider, type ResponsesProviderSettings } from 'responses-loop';
import { expect } from 'vitest';
import { type ScriptedFetch, type ScriptedStep, scriptedFetch } from '../../src/testing.js';
import { asRecords } from '../../src/util/guards.js';
import type { Cause } from './differences/open/open-difference.js';
import { type Answer, calls, says, stepOf } from './families/written.js';

/** Something that the stock provider has no part in, and that does not hold yet. */
export interface OpenAlone {
  readonly open: Cause;
  readonly what: string;
  /** Rejects until it is mended. */
  readonly holds: () => Promise<void>;
}

const PAGE = {
  read: { inputSchema: { type: 'object', properties: {} }, execute: () => 'page', readOnly: true },
} as const;
const DONE: Answer = { id: 'resp_2', output: [says('Done.')] };
const step = (answer: Answer): ScriptedStep => stepOf(answer, false);

/** One call of a tool that the loop runs, and what was sent for it. */
async function asked(steps: readonly ScriptedStep[], settings: ResponsesProviderSettings = {}): Promise<ScriptedFetch> {
  const fetch = scriptedFetch(steps);
  const provider = createResponsesProvider({ apiKey: 'k', backend: 'openai', fetch, ...settings });
  await generateText({ model: provider('gpt-5.1'), prompt: 'Hi', maxRetries: 0 });
  return fetch;
}

function itemsOf(fetch: ScriptedFetch, request: number): Record<string, unknown>[] {
  return asRecords(fetch.requests[request]?.body['input']);
}

const called = (more: NonNullable<ReturnType<typeof calls>['more']>): ScriptedStep =>
  step({ output: [calls('read', 'call_1', {}, more)] });

export const OPEN_ALONE: readonly OpenAlone[] = [
  {
    open: 'D1',
    what: 'the namespace of a call goes back in the loop',
    async holds() {
      const fetch = await asked([called({ namespace: 'files' }), step(DONE)], { tools: PAGE });
      expect(itemsOf(fetch, 1)).toContainEqual(expect.objectContaining({ type: 'function_call', namespace: 'files' }));
    },
  },
  {
    open: 'D2',
    what: 'the caller of a call goes back in the loop, with the call and with its output',
    async holds() {
      const caller = { type: 'program', caller_id: 'prog_1' };
      const fetch = await asked([called({ caller }), step(DONE)], { tools: PAGE });
      expect(itemsOf(fetch, 1)).toContainEqual(expect.objectContaining({ type: 'function_call', caller }));
      expect(itemsOf(fetch, 1)).toContainEqual(expect.objectContaining({ type: 'function_call_output', caller }));
    },
  },
];
