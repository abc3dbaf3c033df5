import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Journal, ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider } from 'responses-loop/v3';
import { scriptedFetch, type ScriptedStep } from 'responses-loop/testing';
import { calls, Kept, says, tool } from './support/kept.js';

const HOUR = 3_600_000;
const user = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Go.' }] };
type Part = Record<string, unknown> & { readonly type: string };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an approval with an age, after a recovery', () => {
  it('was asked for under the same id, however late', async () => {
    const kept = new Kept();
    const first = await asked(kept.journal(), [calls('a', 'put')]);
    vi.setSystemTime(Date.now() + 5 * HOUR);
    expect(await asked(kept.journal(), [])).toEqual(first);
    expect(first.map(({ type }) => type)).toContain('tool-approval-request');
  });

  it('still counts if it did when the call began, so that what ran stays in the history', async () => {
    const kept = new Kept();
    const log: string[] = [];
    const before = await asked(kept.journal(), [calls('a', 'put')]);
    const played: Part[][] = [];
    const keys: string[][] = [];
    const answers = new Kept();
    for (const steps of [[says('b', 'Done.')], []]) {
      answers.steps.length = 0;
      played.push(await answered(before, { journal: answers.journal(), steps, log }));
      keys.push(answers.keys);
      vi.setSystemTime(Date.now() + 5 * HOUR);
    }
    expect(log).toEqual(['run a_0']);
    expect(keys[0]).toEqual(['0/start', '0/tool/a_0/start', '0/tool/a_0', '0/round/0']);
    expect(keys[1]).toEqual(keys[0]);
    expect(played[1]).toEqual(played[0]);
  });
});

describe('a tool the user allowed, which is gone after a recovery', () => {
  it('has what it gave in the history, as if it were there', async () => {
    const log: string[] = [];
    const asking: ResponsesProviderSettings = {
      approve: undefined,
      tools: { put: tool(log, 'put', { needsApproval: true }) },
    };
    const before = await asked(new Kept().journal(), [calls('a', 'put')], asking);
    const answers = new Kept();
    const first = await answered(before, { journal: answers.journal(), steps: [says('b', 'Done.')], settings: asking });
    const again = await answered(before, {
      journal: answers.journal(),
      steps: [],
      settings: { ...asking, tools: { other: tool(log, 'other') } },
    });
    expect(log).toEqual(['run a_0']);
    expect(again).toEqual(first);
    expect(JSON.stringify(again)).toContain('put says so');
  });
});

async function asked(
  journal: Journal,
  steps: readonly ScriptedStep[],
  settings: ResponsesProviderSettings = {},
): Promise<Part[]> {
  return partsOf({ journal, steps, settings }, [user]);
}

async function answered(before: readonly Part[], how: Play): Promise<Part[]> {
  const call = before.find(({ type }) => type === 'tool-call');
  const request = before.find(({ type }) => type === 'tool-approval-request');
  const content = [
    { ...call, input: JSON.parse(String(call?.['input'])) as unknown, providerOptions: call?.['providerMetadata'] },
    request,
  ];
  const yes = { type: 'tool-approval-response', approvalId: request?.['approvalId'], approved: true };
  return partsOf(how, [user, { role: 'assistant', content }, { role: 'tool', content: [yes] }]);
}

interface Play {
  readonly journal: Journal;
  readonly steps: readonly ScriptedStep[];
  readonly log?: string[];
  readonly settings?: ResponsesProviderSettings;
}

async function partsOf(
  { journal, steps, log = [], settings: others }: Play,
  prompt: readonly unknown[],
): Promise<Part[]> {
  const settings: ResponsesProviderSettings = {
    baseURL: 'http://localhost/v1',
    apiKey: 'k',
    fetch: scriptedFetch(steps),
    journal,
    tools: { put: tool(log, 'put') },
    approve: () => 'ask',
    historySecret: 'a secret of sixteen letters or more',
    approvalMaxAgeMs: HOUR,
    ...others,
  };
  await using provider = createResponsesProvider(settings);
  const { stream } = await provider('gpt-5').doStream({ prompt });
  const parts: Part[] = [];
  for await (const part of stream as unknown as AsyncIterable<Part>) parts.push(part);
  return parts;
}
