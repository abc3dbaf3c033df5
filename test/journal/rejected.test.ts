import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { type JournalStep, withStockFallback } from 'responses-loop';
import type { ScriptedEvent } from 'responses-loop/testing';
import { attempt, calls, Kept, says, tool } from './support/kept.js';

const prompt = 'Go.';

/** As engines have them: an error of their own, which they know again. */
class Cancelled extends Error {
  override readonly name = 'CancelledError';
}

const PLACES = ['0/round/0', '0/tool/a_0', '0/tool/a_1/start', '0/tool/a_1', '0/round/1', '0/tool/b_0', '0/round/2'];

function rig(at: string): {
  model: ReturnType<ReturnType<typeof attempt>['provider']>;
  log: string[];
  kept: Kept;
  cancelled: Cancelled;
  played: ReturnType<typeof attempt>;
} {
  const kept = new Kept();
  const log: string[] = [];
  const cancelled = new Cancelled('Cancelled.');
  const journal = kept.journal(async ({ key }: JournalStep) => {
    // An engine rejects what is awaited; everything after it would be rejected, too.
    if (key !== at) return;
    log.push('rejected');
    throw cancelled;
  });
  const steps = [calls('a', 'look', 'put'), calls('b', 'look'), says('c', 'Done.')];
  const played = attempt(journal, steps, {
    tools: { look: tool(log, 'look', { readOnly: true }), put: tool(log, 'put') },
  });
  return { model: played.provider('gpt-5'), log, kept, cancelled, played };
}

describe('a step that the engine rejects', () => {
  it.each(PLACES)('ends a generated call with the engine’s own error (%s)', async (at) => {
    const { model, log, kept, cancelled, played } = rig(at);
    const error = await generateText({ model, prompt, maxRetries: 2 }).catch((thrown: unknown) => thrown);
    expect(error).toBe(cancelled);
    const requests = played.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(log.at(-1)).toBe('rejected');
    expect(kept.keys.at(-1)).toBe(at);
    expect(played.requests).toHaveLength(requests);
  });

  it.each(PLACES)('ends a stream with the engine’s own error, every part closed (%s)', async (at) => {
    const { model, log, kept, cancelled } = rig(at);
    const errors: unknown[] = [];
    const result = streamText({ model, prompt, onError: ({ error }) => void errors.push(error) });
    const types: string[] = [];
    for await (const part of result.fullStream) types.push(part.type);
    expect(errors).toEqual([cancelled]);
    expect(errors[0]).toBe(cancelled);
    const count = (type: string): number => types.filter((one) => one === type).length;
    expect(count('text-start')).toBe(count('text-end'));
    expect(log.at(-1)).toBe('rejected');
    expect(kept.keys.at(-1)).toBe(at);
    expect(JSON.stringify(types)).not.toContain('tool-error');
  });

  it('is no failure that the stock provider stands in for', async () => {
    const { cancelled, played } = rig('0/round/0');
    const stock = createOpenAI({ baseURL: 'http://localhost/v1', apiKey: 's', fetch: played.fetch });
    const model = withStockFallback({ primary: played.provider, stock, useStock: false, fallOver: true })('gpt-5');
    await expect(generateText({ model, prompt })).rejects.toBe(cancelled);
    expect(played.requests).toEqual([]);
  });

  it('starts no tool that the engine runs late', async () => {
    const kept = new Kept();
    const log: string[] = [];
    const ends = new AbortController();
    const journal = kept.journal(({ key }) => {
      if (key === '0/tool/a_0') ends.abort(new Error('The attempt is over.'));
    });
    const { provider } = attempt(journal, [calls('a', 'put')], { tools: { put: tool(log, 'put') } });
    await expect(generateText({ model: provider('gpt-5'), prompt, abortSignal: ends.signal })).rejects.toThrow(
      'The attempt is over.',
    );
    expect(log).toEqual([]);
    expect([...kept.records.keys()]).toEqual(['0/round/0', '0/tool/a_0/start']);
  });
});

describe('an abort', () => {
  it('keeps nothing half', async () => {
    const kept = new Kept();
    const ends = new AbortController();
    const { provider } = attempt(kept.journal(), [[...halfAnAnswer(), new Promise(() => {})]]);
    const result = streamText({ model: provider('gpt-5'), prompt, abortSignal: ends.signal, onError() {} });
    for await (const part of result.fullStream) if (part.type === 'text-delta') ends.abort();
    expect([...kept.records.keys()]).toEqual([]);
  });
});

function halfAnAnswer(): ScriptedEvent[] {
  const item = { id: 'msg', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  return [
    { type: 'response.created', response: { id: 'a', object: 'response', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', output_index: 0, item_id: 'msg', content_index: 0, delta: 'Half' },
  ];
}
