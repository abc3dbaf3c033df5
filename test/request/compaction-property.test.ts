import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverItem } from '../../src/core/call-items.js';
import type { JsonObject } from '../../src/core/json.js';
import type { AssistantContent, Message, ToolResultContent } from '../../src/core/message.js';
import { pair } from '../../src/history/pair.js';
import { createRequestBuilder } from '../../src/request/build-request.js';
import { outlivesCompaction } from '../../src/core/compaction.js';
import { PROFILES } from '../../src/request/profiles.js';
import { fromCallOptions } from '../../src/sdk/prompt/from-call-options.js';
import { pairRounds, user } from './support/build.js';

/** Few, so that they meet. */
const callId = fc.constantFrom('a', 'b', 'c', 'd');
const output = { isError: false, content: [{ type: 'text', text: 'T' }] } as const;
const item = (json: JsonObject): AssistantContent => ({ type: 'item', item: serverItem(json) });

const call = callId.map((id): AssistantContent => ({ type: 'tool-call', callId: id, name: 'add', arguments: '{}' }));
const result = callId.map((id): ToolResultContent => ({ type: 'tool-result', callId: id, output }));
const reasoning = fc.constant<AssistantContent>({ type: 'reasoning', summary: [], text: [], encrypted: 'sealed' });
const text = fc.constantFrom('A', 'B').map((words): AssistantContent => ({ type: 'text', text: words }));
const summary = fc.nat(99).map((n) => item({ type: 'compaction', encrypted_content: `summary ${n}` }));
const ofServers = callId.chain((id) =>
  fc.constantFrom(
    item({ type: 'shell_call', call_id: id, action: {} }),
    item({ type: 'shell_call_output', call_id: id, output: [] }),
    item({ type: 'mcp_approval_request', id, server_label: 's', name: 'n', arguments: '{}' }),
    item({ type: 'web_search_call', status: 'completed' }),
  ),
);
const assistant = fc.record({
  role: fc.constant('assistant' as const),
  content: fc.array(fc.oneof({ weight: 3, arbitrary: call }, result, reasoning, text, summary, ofServers), {
    maxLength: 6,
  }),
});
const approval = callId.map((approvalId) => ({ type: 'approval' as const, approvalId, approved: true }));
const tool = fc.record({
  role: fc.constant('tool' as const),
  content: fc.array(fc.oneof(result, approval), { maxLength: 3 }),
});
const others = fc.constantFrom<Message>(
  { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
  { role: 'system', text: 'Be brief.' },
  { role: 'system', text: '', reasoningEffort: 'low' },
);
const prompt = fc.array(fc.oneof<fc.Arbitrary<Message>[]>(assistant, assistant, tool, others), { maxLength: 8 });
/** A round: what the model said, and maybe what came of it. */
const round = fc.tuple(assistant, fc.option(tool, { nil: undefined }));
const added = fc.array(round, { maxLength: 5 });

/** Inputs of the rounds of one call, by one builder, as they are asked for. */
function inputsOf(messages: readonly Message[], rounds: readonly (readonly Message[])[]): JsonObject[][] {
  const profile = PROFILES.openai;
  const { call: base } = fromCallOptions('gpt-6', { prompt: [user('Hello.')] }, { stream: true, profile });
  const builder = createRequestBuilder({ call: { ...base, messages }, profile, overrides: [], defaults: {} });
  const turns = pair(messages);
  return Array.from({ length: rounds.length + 1 }, (_, index) => {
    const request = {
      index,
      prompt: turns,
      added: pairRounds(turns, rounds.slice(0, index).flat()),
      tools: [],
      toolChoice: { type: 'auto' },
      closing: false,
    };
    return builder.build(request as Parameters<typeof builder.build>[0])['input'] as JsonObject[];
  });
}

/** The same without anything cut: the summaries are items like any other. */
function wholeInputsOf(...given: Parameters<typeof inputsOf>): JsonObject[][] {
  const renamed = (type: string, other: string) => (_name: string, value: unknown) => (value === type ? other : value);
  const there = JSON.parse(JSON.stringify(given, renamed('compaction', 'kept'))) as typeof given;
  return JSON.parse(JSON.stringify(inputsOf(...there), renamed('kept', 'compaction'))) as JsonObject[][];
}

function always(check: (cut: JsonObject[], whole: JsonObject[]) => void): void {
  fc.assert(
    fc.property(prompt, added, (said, rounds) => {
      const before: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }, ...said];
      const more = rounds.map(([made, came]) => (came === undefined ? [made] : [made, came]));
      const whole = wholeInputsOf(before, more);
      inputsOf(before, more).forEach((cut, at) => check(cut, whole[at] ?? []));
    }),
    { numRuns: 400 },
  );
}

const isSummary = ({ type }: JsonObject): boolean => type === 'compaction';
const idsOf = (input: readonly JsonObject[], type: string, member = 'call_id'): unknown[] =>
  input.filter((one) => one['type'] === type).map((one) => one[member]);
const sorted = (ids: unknown[]): string[] => ids.map(String).toSorted();

describe('any conversation with summaries of the server anywhere', () => {
  it('has an output for each call and a call for each output', () => {
    always((cut) => {
      expect(sorted(idsOf(cut, 'function_call_output'))).toEqual(sorted(idsOf(cut, 'function_call')));
      const shells = idsOf(cut, 'shell_call');
      expect(sorted(idsOf(cut, 'shell_call_output'))).toEqual(sorted(shells));
      const asked = new Set(idsOf(cut, 'mcp_approval_request', 'id'));
      for (const id of idsOf(cut, 'mcp_approval_response', 'approval_request_id')) expect(asked).toContain(id);
    });
  });

  it('loses nothing that the caller has laid down, and nothing from the last summary on', () => {
    always((cut, whole) => {
      expect(cut.filter(outlivesCompaction)).toEqual(whole.filter(outlivesCompaction));
      const at = whole.findLastIndex(isSummary);
      if (at === -1) expect(cut.length).toBe(whole.length);
      else expect(cut.slice(-(whole.length - at))).toEqual(whole.slice(at));
    });
  });

  it('has before the last summary only that, and calls whose outputs came behind it', () => {
    always((cut) => {
      const before = cut.slice(0, Math.max(0, cut.findLastIndex(isSummary))).filter((one) => !outlivesCompaction(one));
      if (before.length === 0) return;
      // It begins with what led to such a call, or with the call.
      expect(['reasoning', 'function_call', 'shell_call', 'mcp_approval_request']).toContain(before[0]?.['type']);
    });
  });

  it('never begins with reasoning whose next item is not of the model', () => {
    always((cut) => {
      cut.forEach((one, index) => {
        const next = cut[index + 1];
        if (one['type'] !== 'reasoning') return;
        expect(next).toBeDefined();
        expect(next?.['role'] ?? 'assistant').toBe('assistant');
      });
    });
  });
});
