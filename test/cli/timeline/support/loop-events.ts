import type { ObserverEvent } from 'responses-loop';
import { EventLines } from '../../../../src/node/event-lines.js';

export interface LoopOptions {
  readonly rounds: number;
  readonly toolsPerRound: number;
  /** What a tool gives. */
  readonly output?: (tool: number) => string;
  readonly callNumber?: number;
  readonly startAt?: number;
}

type Timed = readonly [at: number, event: ObserverEvent];

const NAMES = ['read_file', 'search', 'list_directory', 'run_tests', 'edit_file'];
const URL = 'http://127.0.0.1/v1/responses';

/** What a loop tells its observer: rounds with tools of 40 to 900 ms that overlap, now and then a retry or an error. */
export function loopEvents({
  rounds,
  toolsPerRound,
  output,
  callNumber = 1,
  startAt = 1_760_000_000_000,
}: LoopOptions): Timed[] {
  const events: Timed[] = [];
  const input: object[] = [{ type: 'message', role: 'user', content: 'Find out why the tests fail, and mend it.' }];
  let at = startAt;
  const say = (ms: number, event: object): void =>
    void events.push([(at += ms), { callNumber, ...event } as ObserverEvent]);
  say(0, { type: 'call-start', modelId: 'gpt-5.1' });
  say(0, { type: 'key', key: '…x7Qz', what: 'chosen' });
  for (let round = 0; round < rounds; round += 1) {
    const calls = round === rounds - 1 ? 0 : toolsPerRound;
    const began = at;
    say(2, { type: 'round-start', round, tools: NAMES });
    const body = {
      model: 'gpt-5.1',
      instructions: 'You are careful. '.repeat(20),
      tools: NAMES.map(declaration),
      input: [...input],
    };
    say(1, { type: 'request', round, url: URL, headers: { 'content-type': 'application/json' }, body });
    if (round % 40 === 7) {
      say(80, { type: 'response', round, url: URL, status: 503, headers: {}, durationMs: 80 });
      say(1, { type: 'retry', round, url: URL, attempt: 1, delayMs: 120, reason: 'HTTP 503: overloaded', status: 503 });
      say(120, { type: 'request', round, url: URL, headers: { 'content-type': 'application/json' }, body });
    }
    say(180, { type: 'response', round, url: URL, status: 200, headers: {}, durationMs: 180 });
    const inputTokens = 400 + round * 310;
    const usage = {
      inputTokens,
      cachedInputTokens: round === 0 ? 0 : inputTokens - 310,
      outputTokens: 90 + ((round * 37) % 120),
    };
    at += 600 + ((round * 61) % 400);
    const ends: { readonly ms: number; readonly event: object }[] = [];
    for (let tool = 0; tool < calls; tool += 1) {
      const place = {
        round,
        callId: `call_${callNumber}_${round}_${tool}`,
        tool: NAMES[(round + tool) % NAMES.length] ?? '',
        source: 'files',
      };
      const args = { path: `src/room-${round}/file-${tool}.ts`, lines: [1, 200] };
      const text = output?.(round * toolsPerRound + tool) ?? `line of ${place.tool} `.repeat(40);
      input.push(
        { type: 'function_call', call_id: place.callId, name: place.tool, arguments: JSON.stringify(args) },
        { type: 'function_call_output', call_id: place.callId, output: text },
      );
      say(1, { type: 'tool-start', ...place, arguments: args });
      const ms = 40 + ((round * 131 + tool * 277) % 860);
      ends.push({
        ms,
        event: {
          type: 'tool-end',
          ...place,
          isError: (round * 7 + tool) % 53 === 5,
          output: text.slice(0, 2000),
          durationMs: ms,
        },
      });
    }
    let passed = 0;
    for (const { ms, event } of ends.toSorted((a, b) => a.ms - b.ms)) {
      say(ms - passed, event);
      passed = ms;
    }
    say(1, {
      type: 'round-end',
      round,
      responseId: `resp_${round}`,
      finishReason: calls === 0 ? 'stop' : 'tool-calls',
      calls,
      usage,
      durationMs: at + 1 - began,
      firstPartMs: 210 + ((round * 17) % 90),
    });
  }
  say(2, { type: 'call-end', finishReason: 'stop', rounds, durationMs: at - startAt });
  return events;
}

const declaration = (name: string): object => ({
  type: 'function',
  name,
  description: `Does ${name}. `.repeat(12),
  parameters: { type: 'object' },
});

export function fileOf(events: readonly Timed[], run = 'run'): string {
  const lines = new EventLines(run);
  return lines.head(events[0]?.[0] ?? 0) + events.map(([at, event]) => lines.of(event, at)).join('');
}
