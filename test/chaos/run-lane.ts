import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';

import type { LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { generateText, jsonSchema, stepCountIs, streamText, tool, type ToolChoice, type ToolSet } from 'ai';
import { type Log, promptOf } from './log.js';
import type { Model } from './observation.js';
import type { Lane, Via } from './scenario.js';

// Several scenarios provoke warnings; the SDK would print them.
globalThis.AI_SDK_LOG_WARNINGS = false;

export interface LaneRun {
  readonly lane: Lane;
  readonly number: number;
  readonly model: Model;
  readonly signal: AbortSignal;
  readonly stubs: ToolSet;
  readonly log: Log;
}

export interface SdkOutcome {
  readonly rejected?: unknown;
  readonly text?: string;
}

/** Makes the call of a lane and reads it to its end, as patiently as the lane says. */
export function runLane(run: LaneRun): Promise<SdkOutcome> {
  return DRIVERS[run.lane.via](run);
}

const MAX_STEPS = 3;
const SCHEMA = { type: 'object', properties: { m: { type: 'string' } } } as const;

const DRIVERS: { readonly [V in Via]: (run: LaneRun) => Promise<SdkOutcome> } = {
  async doStream(run) {
    const { stream } = await run.model.doStream(callOptions(run));
    return readParts(stream, run);
  },
  async doGenerate(run) {
    await run.model.doGenerate(callOptions(run));
    return {};
  },
  async streamText(run) {
    const result = streamText({ ...sdkOptions(run), onError: () => {} });
    let text = '';
    let count = 0;
    for await (const part of result.fullStream) {
      if (part.type === 'text-delta') text += part.text;
      await pause(run.lane, (count += 1));
    }
    return { text };
  },
  async generateText(run) {
    const result = await generateText(sdkOptions(run));
    return { text: result.steps.map((step) => step.text).join('') };
  },
};

async function readParts(stream: ReadableStream<unknown>, { lane, log, number }: LaneRun): Promise<SdkOutcome> {
  const reader = stream.getReader();
  for (let count = 0; ; count += 1) {
    if (lane.cancelAfter === count) {
      log.note(number, 'cancelled');
      await reader.cancel('the reader went away');
      return {};
    }
    if ((await reader.read()).done) return {};
    await pause(lane, count);
  }
}

/** So many reads wait a while, then the reader hurries. */
const SLOW_READS = 24;

async function pause({ pace }: Lane, count: number): Promise<void> {
  if (pace === 'eager' || count > SLOW_READS) return;
  await (count % 4 === 0 ? sleep(1) : tick());
}

function callOptions({ lane, number, signal }: LaneRun): LanguageModelV2CallOptions {
  const loopNames = lane.declaresLoopTools ? ['look', 'act', 'peek', 'poke'] : [];
  const tools: NonNullable<LanguageModelV2CallOptions['tools']> = [
    ...loopNames.map((name) => ({
      type: 'function' as const,
      name,
      inputSchema: SCHEMA,
      providerOptions: { 'responses-loop': { loopTool: true } },
    })),
    ...(lane.hasClientTool ? [{ type: 'function' as const, name: 'ask', inputSchema: SCHEMA }] : []),
  ];
  return {
    prompt: [{ role: 'user', content: [{ type: 'text', text: promptOf(number) }] }],
    abortSignal: signal,
    ...(tools.length === 0 ? {} : { tools }),
    ...(lane.toolChoice === 'auto'
      ? {}
      : { toolChoice: lane.toolChoice === 'tool' ? { type: 'tool', toolName: 'act' } : { type: lane.toolChoice } }),
  };
}

function sdkOptions({ lane, number, model, signal, stubs }: LaneRun) {
  const ask = tool({
    inputSchema: jsonSchema<{ m?: string }>(SCHEMA),
    execute: ({ m }) => `client ${String(m)}`,
  });
  const tools: ToolSet = { ...(lane.declaresLoopTools ? stubs : {}), ...(lane.hasClientTool ? { ask } : {}) };
  const choice = sdkChoice(lane);
  return {
    model,
    prompt: promptOf(number),
    abortSignal: signal,
    maxRetries: 0,
    stopWhen: stepCountIs(MAX_STEPS),
    ...(Object.keys(tools).length === 0 ? {} : { tools }),
    ...(choice === undefined ? {} : { toolChoice: choice }),
  };
}

function sdkChoice({ toolChoice }: Lane): ToolChoice<ToolSet> | undefined {
  if (toolChoice === 'auto') return undefined;
  return toolChoice === 'tool' ? { type: 'tool', toolName: 'act' } : toolChoice;
}
