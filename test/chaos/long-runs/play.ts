import type { OutputStore, ResponsesProviderSettings } from 'responses-loop';
import { scriptedFetch, type ScriptedStep } from 'responses-loop/testing';
import { answer, type AnyPart, user, VERSIONS } from '../../acceptance/support/any-version.js';
import { asMessages } from '../../acceptance/support/go-back.js';
import { KEPT_BACK, type LongRun } from './scenario.js';
import { keptName, logText, LongRunModel, SLOW } from './model.js';

/** What became of one turn. */
export interface PlayedTurn {
  readonly parts: readonly AnyPart[];
  /** Of a call that rejected. */
  readonly error?: string;
  readonly requests: readonly [from: number, to: number];
}

export interface LongRunObservation {
  readonly model: LongRunModel;
  /** Ids of the calls whose tools ran, in their order. */
  readonly runs: readonly string[];
  readonly turns: readonly PlayedTurn[];
  readonly hung: boolean;
}

const WAIT_MS = 20_000;
const OBJECT = { type: 'object', properties: { marker: { type: 'string' } } };

export async function playLongRun(scenario: LongRun): Promise<LongRunObservation> {
  const model = new LongRunModel(scenario);
  const runs: string[] = [];
  const open = new Map<string, { readonly due: number; readonly free: () => void }>();
  model.onRequest = (at) => {
    for (const [callId, { due, free }] of open)
      if (model.waitsAt.has(at) || due <= at) {
        open.delete(callId);
        free();
      }
  };
  const step: ScriptedStep = (request) => model.answer(request);
  const provider = VERSIONS[scenario.version]({
    ...settingsOf(scenario),
    fetch: scriptedFetch([], { otherwise: step }),
    tools: toolsOf(scenario, { model, runs, open }),
  });
  const turns: PlayedTurn[] = [];
  const messages: object[] = [];
  let hung = false;
  for (const at of scenario.turns.keys()) {
    model.nextTurn();
    messages.push(user(`Question ${at}.`));
    const from = model.requests.length;
    const played = await within(
      answer(provider('gpt-6-sol'), scenario.method, { prompt: messages }).then(
        (parts) => ({ parts }),
        (error: unknown) => ({ parts: [], error: error instanceof Error ? error.message : String(error) }),
      ),
    );
    if (played === undefined) {
      hung = true;
      break;
    }
    turns.push({ ...played, requests: [from, model.requests.length] });
    if ('error' in played) break;
    messages.push(...asMessages(played.parts));
    // What outlasted the turn ends before the next one.
    for (const { free } of open.values()) free();
    open.clear();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await provider.close();
  for (const { free } of open.values()) free();
  return { model, runs, turns, hung };
}

function settingsOf(scenario: LongRun): ResponsesProviderSettings {
  const { backend, maxToolOutputChars, maxContinuations, store, asyncToolWaitMs } = scenario;
  return {
    ...(asyncToolWaitMs === undefined ? {} : { asyncToolWaitMs }),
    baseURL: 'http://model.test/v1',
    apiKey: 'test',
    backend,
    maxToolOutputChars,
    retry: { maxContinuations, maxRetries: 1, initialDelayMs: 1 },
    ...(store === 'memory' ? {} : { outputs: storeOf(store) }),
  };
}

function storeOf(kind: 'app' | 'fails'): OutputStore {
  const texts = new Map<string, string>();
  if (kind === 'fails')
    return { put: () => Promise.reject(new Error('full')), get: () => Promise.reject(new Error('away')) };
  return { put: async (id, text) => void texts.set(id, text), get: async (id) => texts.get(id) };
}

interface Bench {
  readonly model: LongRunModel;
  readonly runs: string[];
  readonly open: Map<string, { readonly due: number; readonly free: () => void }>;
}

function toolsOf({ backend }: LongRun, { model, runs, open }: Bench): NonNullable<ResponsesProviderSettings['tools']> {
  const tool = (
    execute: (args: Readonly<Record<string, unknown>>, callId: string) => unknown,
    rest: object = {},
  ): NonNullable<ResponsesProviderSettings['tools']>[string] => ({
    inputSchema: OBJECT,
    execute: (args, { toolCallId }) => {
      runs.push(toolCallId);
      return execute(args, toolCallId);
    },
    ...rest,
  });
  const kept = Array.from({ length: KEPT_BACK }, (_, number) => [
    keptName(number),
    tool((_args, callId) => `kept ${callId}`, { description: `Kept back, number ${number}.`, deferLoading: true }),
  ]);
  const slow = tool(
    async (_args, callId) => {
      const move = model.made.find((made) => made.callId === callId);
      const wait = move?.move.call === 'slow' ? move.move.requests : 0;
      await new Promise<void>((free) => {
        // Its own request has been answered before it began.
        if (wait === 0 || model.waitsAt.has(model.requests.length - 1)) free();
        else open.set(callId, { due: (move?.request ?? 0) + wait, free });
      });
      return `slow ${callId}`;
    },
    { async: true },
  );
  return {
    log: tool(({ marker, chars, isError }) => {
      const text = logText(String(marker), Number(chars));
      return isError === true ? { isError: true, content: [{ type: 'text', text }] } : text;
    }),
    quick: tool((_args, callId) => `quick ${callId}`, { readOnly: true }),
    ...(backend === 'openai' ? { [SLOW]: slow } : Object.fromEntries(kept)),
  };
}

async function within<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS, undefined);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
