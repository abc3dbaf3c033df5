import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import { textOutput, type ToolOutput } from '../../../src/core/message.js';
import type { LoopTool } from '../../../src/tools/loop-tool.js';
import type { ExecuteOptions, SourceTool } from '../../../src/tools/tool-source.js';
import { callTool, recorder, textOf } from '../support/call.js';

type Execute = (args: unknown, options: ExecuteOptions) => Promise<ToolOutput> | ToolOutput;

function toolThat(execute: Execute, rest: Partial<SourceTool> = {}): LoopTool {
  return {
    declaration: { name: 'wire_name', inputSchema: { type: 'object', properties: {} } },
    tool: { name: 'original.name', inputSchema: {}, readOnly: false, ...rest },
    source: {
      key: 'local',
      list: async () => [],
      execute: async (_name, args, options) => execute(args, options),
      close: async () => {},
    },
  };
}

const never: Execute = () => new Promise(() => {});

describe('one call, one output', () => {
  it('reports start and end, with secrets taken out and long output cut', async () => {
    const { events, observer } = recorder();
    const ticks = [10, 35];
    const tool = toolThat(() => textOutput('y'.repeat(5_000)));
    await callTool(
      tool,
      { city: 'Oslo', api_key: 'k' },
      { observer, now: () => ticks.shift() ?? 0, callNumber: 4, round: 2 },
    );
    const common = { callNumber: 4, round: 2, callId: 'call_1', tool: 'wire_name', source: 'local' };
    expect(events).toEqual([
      { type: 'tool-start', ...common, arguments: { city: 'Oslo', api_key: '[redacted]' } },
      {
        ...{ type: 'tool-end', ...common, isError: false, durationMs: 25 },
        output: `${'y'.repeat(2_000)}…`,
        outputChars: 5_000,
      },
    ]);
  });

  it('bad JSON is told to the model, and the tool does not run', async () => {
    let ran = false;
    const { events, observer } = recorder();
    const output = await callTool(
      toolThat(() => ((ran = true), textOutput(''))),
      '{"a":',
      { observer },
    );
    expect(ran).toBe(false);
    expect(output).toMatchObject({ isError: true });
    expect(textOf(output)).toContain('not valid JSON');
    expect(events).toMatchObject([
      { type: 'tool-start', arguments: '{"a":' },
      { type: 'tool-end', isError: true },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['an error', new Error('boom'), 'boom'],
    [
      'an error whose cause tells more',
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
      'fetch failed (connect ECONNREFUSED)',
    ],
    ['a text', 'boom', 'boom'],
    ['an object', { code: 5 }, '{"code":5}'],
    ['nothing', undefined, 'undefined'],
    ['an abort error of its own', new DOMException('not ours', 'AbortError'), 'not ours'],
  ])('what the tool throws becomes an error output: %s', async (_name, thrown, expected) => {
    const output = await callTool(
      toolThat(() => {
        throw thrown;
      }),
      {},
    );
    expect(output).toEqual({ isError: true, content: [{ type: 'text', text: expected }] });
  });

  it('an observer that throws changes nothing', async () => {
    const observer = (): never => {
      throw new Error('watching');
    };
    expect(
      textOf(
        await callTool(
          toolThat(() => textOutput('ok')),
          {},
          { observer },
        ),
      ),
    ).toBe('ok');
  });
});

describe('time limits', () => {
  it('end a tool that ignores its signal, and name the limit', async () => {
    const output = await callTool(toolThat(never), {}, { toolTimeoutMs: 20 });
    expect(output.isError).toBe(true);
    expect(textOf(output)).toContain(
      '"wire_name" timed out: it sent neither a result nor progress for 20 ms (idle limit)',
    );
  });

  it('of the tool win over the default, and reach its signal', async () => {
    let reason: unknown;
    const waits: Execute = (_args, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => ((reason = signal.reason), reject(new Error('stopped')))),
      );
    const output = await callTool(toolThat(waits, { timeoutMs: 20 }), {}, { toolTimeoutMs: 60_000 });
    expect(textOf(output)).toContain('20 ms (idle limit)');
    expect(reason).toMatchObject({ name: 'TimeoutError' });
  });

  it.each([0, Number.POSITIVE_INFINITY])('are off with %s', async (timeoutMs) => {
    const slow: Execute = () => new Promise((resolve) => setTimeout(resolve, 30, textOutput('late')));
    expect(textOf(await callTool(toolThat(slow), {}, { toolTimeoutMs: timeoutMs }))).toBe('late');
  });

  it('leave no timer behind, even if the tool reports progress after its end', async () => {
    const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    let progress: ExecuteOptions['onProgress'];
    await callTool(
      toolThat((_args, options) => ((progress = options.onProgress), textOutput('ok'))),
      {},
    );
    progress?.({ progress: 1 });
    expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBe(before);
  });
});

describe('aborts', () => {
  it('reject before anything starts', async () => {
    let ran = false;
    const { events, observer } = recorder();
    const call = callTool(
      toolThat(() => ((ran = true), textOutput(''))),
      {},
      { signal: AbortSignal.abort(), observer },
    );
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect([ran, events]).toEqual([false, []]);
  });

  it('reject at once although the tool takes no notice, with the reason of the signal', async () => {
    const abort = new AbortController();
    const reason = new Error('user left');
    const call = callTool(
      toolThat(() => (abort.abort(reason), never({}, {} as ExecuteOptions))),
      {},
      { signal: abort.signal },
    );
    await expect(call).rejects.toBe(reason);
  });

  it('swallow what the tool still throws afterwards', async () => {
    const abort = new AbortController();
    const call = callTool(
      toolThat(async () => {
        abort.abort();
        await new Promise((resolve) => setTimeout(resolve, 5));
        throw new Error('late');
      }),
      {},
      { signal: abort.signal },
    );
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('leave no listener on the signal', async () => {
    const abort = new AbortController();
    let listeners = 0;
    const { signal } = abort;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => ((listeners += 1), add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => ((listeners -= 1), remove(...args));
    await callTool(
      toolThat(() => textOutput('ok')),
      {},
      { signal },
    );
    await callTool(
      toolThat(() => {
        throw new Error('x');
      }),
      {},
      { signal },
    );
    await callTool(toolThat(never), {}, { signal, toolTimeoutMs: 5 });
    expect(listeners).toBe(0);
  });
});

it('the tool and the observer run in the asynchronous context of the call', async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const tool = toolThat(async (_args, { onProgress }) => {
    seen.push(context.getStore());
    context.exit(() => setTimeout(() => onProgress?.({ progress: 1 }), 1));
    await new Promise((resolve) => setTimeout(resolve, 10));
    return textOutput('ok');
  });
  await context.run('mine', () => callTool(tool, {}, { observer: () => void seen.push(context.getStore()) }));
  expect(seen).toEqual(['mine', 'mine', 'mine', 'mine']);
});

describe('the size of outputs', () => {
  it('is limited with a visible mark, and never cuts a character in two', async () => {
    const tool = toolThat(() => ({
      isError: false,
      content: [
        { type: 'text', text: 'abc🦆def' },
        { type: 'text', text: 'more' },
      ],
    }));
    const output = await callTool(tool, {}, { maxToolOutputChars: 5 });
    expect(output.content).toEqual([
      { type: 'text', text: 'ab' },
      { type: 'text', text: '[output cut: 8 of 13 characters left out]' },
      { type: 'text', text: 'ore' },
    ]);
  });

  it('is 40,000 characters by default, may be unlimited, and may be another one for a tool', async () => {
    const tool = toolThat(() => textOutput('x'.repeat(250_000)));
    expect(textOf(await callTool(tool, {}))).toMatch(
      /^x{20000}\n\[output cut: 210000 of 250000 characters left out\]\nx{20000}$/,
    );
    const chatty = { ...tool, tool: { ...tool.tool, maxOutputChars: 100_000 } };
    expect(textOf(await callTool(chatty, {}))).toContain('[output cut: 150000 of 250000 characters left out]');
    expect(textOf(await callTool(tool, {}, { maxToolOutputChars: Number.POSITIVE_INFINITY }))).toHaveLength(250_000);
  });

  it('does not count files', async () => {
    const file = {
      type: 'file' as const,
      mediaType: 'image/png',
      source: { type: 'data' as const, base64: 'A'.repeat(100) },
    };
    const output = await callTool(
      toolThat(() => ({ isError: false, content: [file] })),
      {},
      { maxToolOutputChars: 10 },
    );
    expect(output.content).toEqual([file]);
  });
});
