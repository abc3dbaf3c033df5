import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  approveByAnnotations,
  type LocalTool,
  type McpClientLike,
  type ResponsesProviderSettings,
  type ToolApprovalRequest,
} from 'responses-loop';
import { attempt, calls, Kept, says, tool } from './support/kept.js';

const prompt = 'Go.';

/** A loop that began while `t` was `then`, and goes on while it is `now`: its first round is recorded, its second is not. */
async function goingOn(
  then: Partial<LocalTool>,
  now: Partial<LocalTool>,
  settings: ResponsesProviderSettings = {},
): Promise<{ readonly log: readonly string[]; readonly keys: readonly string[] }> {
  const kept = new Kept();
  const log: string[] = [];
  const begun = attempt(kept.journal(), [calls('a', 't'), says('b', 'Done.')], { tools: { t: tool(log, 't', then) } });
  await generateText({ model: begun.provider('gpt-5'), prompt });
  for (const key of [...kept.records.keys()]) if (key !== '0/round/0') kept.records.delete(key);
  log.length = 0;
  kept.steps.length = 0;
  const steps = [calls('c', 't', 't'), says('d', 'Done.')];
  const next = attempt(kept.journal(), steps, { ...settings, tools: { t: tool(log, 't', now) } });
  await generateText({ model: next.provider('gpt-5'), prompt });
  return { log, keys: kept.keys };
}

describe('a tool that only read when the call began, and writes now', () => {
  it('is described to `approve` as changing data, in recorded rounds and in later ones', async () => {
    const asked: boolean[] = [];
    const approve = ({ readOnly, idempotent, destructive }: ToolApprovalRequest): boolean => {
      asked.push(readOnly || idempotent || !destructive);
      return true;
    };
    await goingOn({ readOnly: true }, {}, { approve });
    expect(asked).toEqual([false, false, false]);
  });

  it('does not run unasked by `approveByAnnotations`', async () => {
    const { log } = await goingOn({ readOnly: true }, {}, { approve: approveByAnnotations(() => false) });
    expect(log).toEqual([]);
  });

  it('runs alone, and is not tried again by itself', async () => {
    let running = 0;
    const most: number[] = [];
    let runs = 0;
    const execute = async (): Promise<string> => {
      runs += 1;
      most.push((running += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      throw new Error('No.');
    };
    await goingOn({ readOnly: true, execute: () => 'fine' }, { execute }, { retry: { maxToolRetries: 2 } });
    expect(Math.max(...most)).toBe(1);
    expect(runs).toBe(3);
  });

  it('has the steps it began with, which engines compare', async () => {
    const { keys } = await goingOn({ readOnly: true }, {});
    expect(keys.filter((key) => key.endsWith('/start'))).toEqual([]);
  });

  it('does not run where it is of an MCP server: it was changed since it was offered', async () => {
    const kept = new Kept();
    const log: string[] = [];
    const server = (readOnlyHint: boolean): ResponsesProviderSettings => ({
      mcpServers: { files: { client: fakeClient(log, readOnlyHint) } },
    });
    const begun = attempt(kept.journal(), [calls('a', 't'), says('b', 'Done.')], server(true));
    await generateText({ model: begun.provider('gpt-5'), prompt });
    for (const key of [...kept.records.keys()]) if (key !== '0/round/0') kept.records.delete(key);
    log.length = 0;
    const next = attempt(kept.journal(), [says('c', 'Done.')], server(false));
    await generateText({ model: next.provider('gpt-5'), prompt });
    expect(log).toEqual([]);
    expect(next.requests[0]?.text).toContain('its server changed it (what it says it does)');
  });
});

describe('a tool that wrote when the call began, and only reads now', () => {
  it('writes for `approve`, and runs at most once', async () => {
    const asked: boolean[] = [];
    const approve = ({ readOnly }: ToolApprovalRequest): boolean => {
      asked.push(readOnly);
      return true;
    };
    const { keys } = await goingOn({}, { readOnly: true }, { approve });
    expect(asked).toEqual([false, false, false]);
    expect(keys.filter((key) => key.endsWith('/start'))).toHaveLength(3);
  });
});

function fakeClient(log: string[], readOnlyHint: boolean): McpClientLike {
  const tools = [{ name: 't', inputSchema: { type: 'object' as const }, annotations: { readOnlyHint } }];
  return {
    listTools: () => Promise.resolve({ tools }),
    callTool: () => {
      log.push('ran');
      return Promise.resolve({ content: [{ type: 'text', text: 'done' }] });
    },
  };
}
