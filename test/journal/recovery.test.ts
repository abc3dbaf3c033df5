import { inspect } from 'node:util';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  type Journal,
  type JournalStep,
  type McpClientLike,
  openTelemetry,
  type ResponsesProviderSettings,
  withStockFallback,
} from 'responses-loop';
import type { ScriptedStep } from 'responses-loop/testing';
import { answer, type Attempt, attempt, calls, Kept, says, tool } from './support/kept.js';

const prompt = 'Go.';

/** Dies when a step begins: it never settles, and the process is gone. */
async function dyingAt(
  key: string,
  kept: Kept,
  run: (journal: Journal, signal: AbortSignal) => Attempt,
): Promise<Attempt> {
  const ends = new AbortController();
  let die = (): void => {};
  const died = new Promise<void>((resolve) => (die = resolve));
  const journal = kept.journal((step: JournalStep) => {
    if (step.key !== key) return undefined;
    die();
    return new Promise(() => {});
  });
  const played = run(journal, ends.signal);
  const going = generateText({ model: played.provider('gpt-5'), prompt, abortSignal: ends.signal });
  going.catch(() => {});
  await died;
  ends.abort();
  await going.catch(() => {});
  return played;
}

/** What an app has of an MCP server: a read-only tool named like another server's. */
function fakeClient(log: string[], server: string, metas: Record<string, unknown>[] = []): McpClientLike {
  const annotations = { readOnlyHint: true };
  return {
    listTools: () => Promise.resolve({ tools: [{ name: 'find', inputSchema: { type: 'object' }, annotations }] }),
    callTool: ({ _meta }) => {
      log.push(server);
      metas.push(_meta ?? {});
      return Promise.resolve({ content: [{ type: 'text', text: 'found' }] });
    },
  };
}

const look = { look: tool([], 'look', { readOnly: true }) };

describe('after a recovery', () => {
  it.each([0, 1])('the key goes on with which the call began (%i calls before it)', async (before) => {
    const kept = new Kept();
    const settings = { apiKey: ['first-key-1234567', 'second-key-1234567'], tools: look };
    const sealed = answer('a', [
      { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed-by-that-key' },
      { type: 'call', name: 'look', arguments: {}, callId: 'a_0' },
    ]);
    const first = await dyingAt('0/round/1', kept, (journal) => attempt(journal, [sealed], settings));
    const used = first.requests[0]?.headers['authorization'];
    let journal: Journal | undefined;
    const second = attempt(
      () => journal,
      [...Array.from({ length: before }, () => says('x', 'Hi.')), says('b', 'Done.')],
      settings,
    );
    // Other calls of the process turn the pool of keys.
    for (let call = 0; call < before; call += 1) await generateText({ model: second.provider('gpt-5'), prompt });
    journal = kept.journal();
    await generateText({ model: second.provider('gpt-5'), prompt });
    expect(second.requests.at(-1)?.headers['authorization']).toBe(used);
    expect(second.requests.at(-1)?.text).toContain('sealed-by-that-key');
  });

  it('sealed reasoning stays behind where its key is gone', async () => {
    const kept = new Kept();
    const sealed = answer('a', [
      { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed-by-the-first' },
      { type: 'call', name: 'look', arguments: {}, callId: 'a_0' },
    ]);
    await dyingAt('0/round/1', kept, (journal) =>
      attempt(journal, [sealed], { apiKey: 'first-key-1234567', tools: look }),
    );
    const second = attempt(kept.journal(), [says('b', 'Done.')], { apiKey: 'other-key-1234567', tools: look });
    expect((await generateText({ model: second.provider('gpt-5'), prompt })).text).toBe('Done.');
    expect(second.requests[0]?.text).not.toContain('sealed-by-the-first');
    expect(second.requests[0]?.text).toContain('look says so');
  });

  it('a tool that is gone is no unknown tool: what it gave stands, and a new run says why it fails', async () => {
    const kept = new Kept();
    await dyingAt('0/tool/a_1', kept, (journal) =>
      attempt(journal, [calls('a', 'look', 'look')], { tools: look, toolConcurrency: 1 }),
    );
    expect([...kept.records.keys()]).toEqual(['0/round/0', '0/tool/a_0']);
    const second = attempt(kept.journal(), [says('b', 'Done.')], { tools: { other: tool([], 'other') } });
    await generateText({ model: second.provider('gpt-5'), prompt });
    const [request] = second.requests;
    const outputs = request?.input.flatMap(({ type, output }) => (type === 'function_call_output' ? [output] : []));
    expect(outputs).toEqual(['look says so', expect.stringContaining('is not available now')]);
    expect(request?.body['tools'] ?? []).toEqual([]);
  });

  it('a tool keeps the name it had when the call began', async () => {
    const kept = new Kept();
    const log: string[] = [];
    const server = (name: string): ResponsesProviderSettings => ({
      mcpServers: { [name]: { client: fakeClient(log, name) } },
    });
    const both = { mcpServers: { ...server('one').mcpServers, ...server('two').mcpServers } };
    await dyingAt('0/tool/a_0', kept, (journal) => attempt(journal, [calls('a', 'two__find')], both));
    // Alone its tool would be called "find".
    const second = attempt(kept.journal(), [says('b', 'Done.')], server('two'));
    await generateText({ model: second.provider('gpt-5'), prompt });
    expect(log).toEqual(['two']);
    const names = (second.requests[0]?.body['tools'] as { name: string }[] | undefined)?.map(({ name }) => name);
    expect(names).toEqual(['two__find']);
  });

  it.each([true, false])('who answered goes on to answer, whatever the flag says now (stock: %s)', async (useStock) => {
    const kept = new Kept();
    const steps = [calls('a', 'look'), says('b', 'Done.')];
    const model = ({ provider, fetch }: Attempt, flag: boolean) =>
      withStockFallback({
        primary: provider,
        stock: createOpenAI({ baseURL: 'http://localhost/v1', apiKey: 's', headers: { 'x-stock': 'yes' }, fetch }),
        useStock: () => flag,
      })('gpt-5');
    const first = attempt(kept.journal(), steps, { tools: look });
    const whole = await generateText({ model: model(first, useStock), prompt });
    const asked = first.requests.map(({ headers }) => headers['x-stock'] === 'yes');
    expect(asked).toEqual([useStock, useStock]);
    kept.records.delete('0/round/1');
    const second = attempt(kept.journal(), [says('b', 'Done.')], { tools: look });
    const again = await generateText({ model: model(second, !useStock), prompt });
    expect(second.requests.map(({ headers }) => headers['x-stock'] === 'yes')).toEqual([useStock]);
    expect(again.providerMetadata).toEqual(whole.providerMetadata);
    expect(again.text).toBe(whole.text);
    expect(kept.records.get('0/round/0')).toMatchObject({
      call: { fallback: { uses: useStock ? 'stock' : 'primary', because: 'flag' } },
    });
    const told = second.events.find(({ type }) => type === 'fallback');
    expect(told).toMatchObject({ uses: useStock ? 'stock' : 'primary', replayed: true });
  });

  it('a failure comes again as it was, and nothing is asked', async () => {
    const kept = new Kept();
    const refused = { status: 400, json: { error: { message: 'No such model.', code: 'model_not_found' } } };
    const failures = await Promise.all(
      [[refused], []].map(async (steps: ScriptedStep[], at) => {
        await new Promise((resolve) => setTimeout(resolve, at * 50));
        const { provider, requests } = attempt(kept.journal(), steps);
        const error: unknown = await generateText({ model: provider('gpt-5'), prompt }).catch(
          (thrown: unknown) => thrown,
        );
        const { name, message, code, statusCode, isRetryable, serverCode } = error as Record<string, unknown>;
        return { name, message, code, statusCode, isRetryable, serverCode, requests: requests.length };
      }),
    );
    expect(failures[0]).toMatchObject({ statusCode: 400, code: 'api-error', requests: 1 });
    expect(failures[1]).toEqual({ ...failures[0], requests: 0 });
  });

  it('the cause of a failure names its step, without which the round is requested again', async () => {
    const kept = new Kept();
    const log: string[] = [];
    const ask = async (...steps: ScriptedStep[]) => {
      const { provider, requests } = attempt(kept.journal(), steps, { tools: { look: tool(log, 'look') } });
      const asking = generateText({ model: provider('gpt-5'), prompt, maxRetries: 0 });
      const answered = await asking.then(({ text }) => text).catch((thrown: unknown) => thrown);
      return { answered, requests: requests.length };
    };
    const refused: ScriptedStep = { status: 400, json: { error: { message: 'No such model.' } } };
    expect(inspect((await ask(calls('a', 'look'), refused)).answered)).not.toContain('delete its step');
    const again = await ask();
    expect(again).toMatchObject({ requests: 0, answered: { message: expect.stringContaining('No such') as string } });
    const [, key = ''] = /delete its step "(.+)"/.exec(inspect(again.answered)) ?? [];
    expect(key).toBe('0/round/1');
    kept.records.delete(key);
    expect(await ask(says('b', 'Done.'))).toEqual({ answered: 'Done.', requests: 1 });
    expect(log).toEqual(['run a_0']);
  });
});

describe('a call of an MCP tool', () => {
  it('bears the id of the call, and a key that every attempt has and no other loop', async () => {
    const metas: Record<string, unknown>[] = [];
    const settings: ResponsesProviderSettings = {
      mcpServers: { one: { client: fakeClient([], 'one', metas), meta: {} } },
    };
    const kept = new Kept();
    for (const id of ['a', 'a']) {
      // The effect is there, and its record is lost.
      kept.records.delete('0/tool/a_0');
      kept.records.delete('0/round/1');
      const { provider } = attempt(
        kept.journal(),
        kept.records.size === 0 ? [calls(id, 'find'), says('b', '1')] : [says('b', '2')],
        settings,
      );
      await generateText({ model: provider('gpt-5'), prompt });
    }
    const other = attempt(new Kept().journal(), [calls('a', 'find'), says('b', '3')], settings);
    await generateText({ model: other.provider('gpt-5'), prompt });
    expect(metas.map((meta) => meta['responses-loop/tool-call-id'])).toEqual(['a_0', 'a_0', 'a_0']);
    const [first, again, elsewhere] = metas.map((meta) => meta['responses-loop/idempotency-key']);
    expect(first).toBeTypeOf('string');
    expect(again).toBe(first);
    expect(elsewhere).not.toBe(first);
  });
});

describe('events after a recovery', () => {
  it('are marked where they happened before', async () => {
    const kept = new Kept();
    const settings: ResponsesProviderSettings = { tools: look, approve: () => true };
    await dyingAt('0/round/1', kept, (journal) => attempt(journal, [calls('a', 'look')], settings));
    const { provider, events } = attempt(kept.journal(), [says('b', 'Done.')], settings);
    await streamText({ model: provider('gpt-5'), prompt }).consumeStream();
    const shown = events.map(({ type, replayed }) => `${type}${replayed === true ? ' again' : ''}`);
    expect(shown.filter((name) => !/^(key|request|response)/.test(name))).toEqual([
      'call-start again',
      'round-start again',
      'tool-approval again',
      'tool-start again',
      'tool-end again',
      'round-end again',
      'round-start',
      'round-end',
      'call-end',
    ]);
    expect(shown.filter((name) => name.startsWith('request'))).toEqual(['request']);
  });

  it('are all marked where nothing ran, and none without a recovery', async () => {
    const kept = new Kept();
    const steps = [calls('a', 'look'), says('b', 'Done.')];
    const first = attempt(kept.journal(), steps, { tools: look });
    await generateText({ model: first.provider('gpt-5'), prompt });
    expect(first.events.filter(({ replayed }) => replayed !== undefined)).toEqual([]);
    const second = attempt(kept.journal(), [], { tools: look });
    await generateText({ model: second.provider('gpt-5'), prompt });
    expect(second.events.length).toBeGreaterThan(5);
    expect(second.events.filter(({ replayed }) => replayed !== true)).toEqual([]);
  });
});

describe('an approval', () => {
  it('is asked outside of steps, and again after a recovery', async () => {
    const kept = new Kept();
    const asked: string[] = [];
    const settings: ResponsesProviderSettings = {
      tools: { put: tool([], 'put') },
      approve: async ({ callId }) => {
        const open = kept.log.filter((line) => line.startsWith('begin')).length;
        const ended = kept.log.filter((line) => line.startsWith('keep')).length;
        asked.push(`${callId}: ${open - ended} steps open`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return true;
      },
    };
    await dyingAt('0/tool/a_0/start', kept, (journal) => attempt(journal, [calls('a', 'put')], settings));
    kept.log.length = 0;
    const second = attempt(kept.journal(), [says('b', 'Done.')], settings);
    await generateText({ model: second.provider('gpt-5'), prompt });
    expect(asked[0]).toBe('a_0: 0 steps open');
    expect(asked).toHaveLength(2);
  });
});

describe('spans after a recovery', () => {
  it('are written for what happens now, not once more for what happened', async () => {
    const kept = new Kept();
    await dyingAt('0/round/1', kept, (journal) => attempt(journal, [calls('a', 'look')], { tools: look }));
    const names: string[] = [];
    const span = { setAttributes() {}, setStatus() {}, addEvent() {}, end() {} };
    const onEvent = openTelemetry({
      startSpan: (name) => {
        names.push(name);
        return span;
      },
    });
    const { provider } = attempt(kept.journal(), [says('b', 'Done.')], { tools: look, onEvent });
    await generateText({ model: provider('gpt-5'), prompt });
    await expect.poll(() => names).toEqual(['responses-loop gpt-5', 'responses-loop round 1']);
  });
});
