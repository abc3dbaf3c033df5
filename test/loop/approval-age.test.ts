import { describe, expect, it, vi } from 'vitest';
import { createResponsesProvider } from 'responses-loop/v3';
import type { ResponsesProviderSettings } from 'responses-loop';
import { ApprovalSigner } from '../../src/loop/approval-signer.js';
import { HmacKey } from '../../src/util/hash.js';
import { userPrompt } from '../acceptance/support/parts.js';
import { calls, reply, rigOf, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { outputs } from '../acceptance/support/wire.js';

const key = new HmacKey('a secret of sixteen');
const call = { callId: 'call_1', name: 'add', arguments: '{"a":1}' };
const at = (time: number, maxAgeMs?: number): ApprovalSigner => new ApprovalSigner({ key, maxAgeMs, now: () => time });

describe('a signed approval', () => {
  it('counts for ever where there is no limit, and its id holds no time then', async () => {
    const id = await at(1_000).idOf(call);
    expect(id).toBe(await at(2_000).idOf(call));
    expect(await at(1e15).problemOf(id, call)).toBeUndefined();
  });

  it('counts until it is as old as the limit, and no longer', async () => {
    const id = await at(1_000, 500).idOf(call);
    expect(await at(1_500, 500).problemOf(id, call)).toBeUndefined();
    expect(await at(1_501, 500).problemOf(id, call)).toMatch(/older than `approvalMaxAgeMs` allows/);
  });

  it('is none with another time in its id, nor with a limit and no time', async () => {
    const id = await at(1_000, 500).idOf(call);
    for (const forged of [id.replace('@1000', '@9000'), id.replace('@1000', ''), id.replace('@1000', '@1e9')])
      expect(await at(9_000, 500).problemOf(forged, call)).toMatch(/not given for this call/);
    expect(await at(1_000, 500).problemOf(await at(1_000).idOf(call), call)).toMatch(/older than/);
  });

  it('counts with its time in it where there is no limit any more', async () => {
    expect(await at(9_000).problemOf(await at(1_000, 500).idOf(call), call)).toBeUndefined();
  });
});

/** A call that is asked about, an answer `waitMs` later, and what comes of it. */
async function answered(settings: ResponsesProviderSettings, waitMs = 0, callIds: readonly string[] = ['call_1']) {
  const { add, runs } = adder();
  const made = callIds.map((callId, a) => ['add', { a, b: 1 }, callId] as const);
  const { model } = await rigOf(
    createResponsesProvider,
    [calls('resp_1', ...made), says('resp_2', 'Well.')].map(reply),
    {
      tools: { add },
      approve: () => 'ask',
      ...settings,
    },
  );
  const { content } = await model.doGenerate({ prompt: userPrompt() });
  const requests = content.filter((part) => part.type === 'tool-approval-request');
  const told = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ ...part, input: JSON.parse(part.input) as unknown, providerOptions: part.providerMetadata }]
      : [],
  );
  const answers = requests.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true }));
  vi.setSystemTime(Date.now() + waitMs);
  const prompt = [...userPrompt(), { role: 'assistant', content: told }, { role: 'tool', content: answers }];
  const { warnings } = await model.doGenerate({ prompt });
  return { runs, ids: requests.map(({ approvalId }) => approvalId), warnings };
}

describe('the setting approvalMaxAgeMs', () => {
  const historySecret = 'a secret of sixteen';

  it('runs the tool after a timely approval, and denies the call after a late one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const inTime = await answered({ historySecret, approvalMaxAgeMs: 60_000 }, 59_000);
      expect([inTime.runs.length, inTime.warnings]).toEqual([1, []]);
      const late = await answered({ historySecret, approvalMaxAgeMs: 60_000 }, 61_000);
      expect(late.runs).toEqual([]);
      expect(late.warnings).toEqual([
        { type: 'other', message: expect.stringContaining('older than `approvalMaxAgeMs`') },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('an approval without a signature', () => {
  it('runs the tool, with one warning for all such approvals', async () => {
    const { runs, warnings } = await answered({}, 0, ['call_1', 'call_2', 'call_3']);
    expect(runs).toHaveLength(3);
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining('set `historySecret`') }]);
  });

  it('runs nothing where the history says that more was allowed than a round may call', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rigOf(createResponsesProvider, [], { tools: { add }, approve: () => 'ask' });
    const ids = Array.from({ length: 129 }, (_, index) => `call_${index}`);
    const made = ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'add', input: { a: 1, b: 1 } }));
    const answers = ids.map((id) => ({
      type: 'tool-approval-response',
      approvalId: `responses-loop::${id}`,
      approved: true,
    }));
    const prompt = [...userPrompt(), { role: 'assistant', content: made }, { role: 'tool', content: answers }];
    await expect(model.doGenerate({ prompt })).rejects.toMatchObject({
      code: 'limit',
      message: expect.stringContaining('limits.callsPerRound'),
    });
    expect([runs, requests]).toEqual([[], []]);
  });

  it('runs nothing for a call that stands in a carrier, where no user was asked', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rigOf(createResponsesProvider, [reply(says('resp_1', 'Well.'))], {
      tools: { add },
      approve: () => 'ask',
    });
    const carrier = { v: 1, calls: [{ callId: 'hidden', name: 'add', arguments: '{"a":1,"b":1}' }] };
    const { content } = await model.doGenerate({
      prompt: [
        ...userPrompt(),
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'Well?', providerOptions: { 'responses-loop': { carrier } } }],
        },
        {
          role: 'tool',
          content: [{ type: 'tool-approval-response', approvalId: 'responses-loop::hidden', approved: true }],
        },
      ],
    });
    expect(runs).toEqual([]);
    expect(content).toEqual([expect.objectContaining({ type: 'text', text: 'Well.' })]);
    expect(outputs(requests[0])).toEqual([['hidden', expect.stringContaining('interrupted')]]);
  });
});
