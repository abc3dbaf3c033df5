import { setTimeout as sleep } from 'node:timers/promises';

import { createResponsesProvider, type ObserverEvent } from 'responses-loop';
import {
  createScriptedServer,
  responseBody,
  responseEvents,
  type ScriptedAnswer,
  type ScriptedRequest,
} from 'responses-loop/testing';
import { cuttingFetch } from './cut.js';
import { createLagMeter } from './lag-meter.js';
import { laneOfMarker, laneOfText, Log } from './log.js';
import { startMcpServer } from './mcp-server.js';
import type { LaneOutcome, ModelCall, Observation, SeenRequest } from './observation.js';
import { recordModel } from './record-model.js';
import { runLane, type SdkOutcome } from './run-lane.js';
import { settingsOf, slowness } from './play-settings.js';
import type { Lane, Scenario } from './scenario.js';
import { MCP_TOKEN } from './secrets.js';
import { answerOf } from './serve.js';
import { createStdioServer } from './stdio-server.js';
import { laneContext, ToolBench } from './tools.js';
import { createTrigger, type Trigger } from './trigger-abort.js';
import { closesInTime, within } from './within.js';

/** Longer than any scenario needs, retries and time limits included. */
const BOUND_MS = 30_000;

interface LanePlay {
  readonly lane: Lane;
  readonly number: number;
  readonly trigger: Trigger;
  readonly calls: ModelCall[];
  readonly requests: SeenRequest[];
}

/** Plays a scenario against the real provider over real HTTP, and writes down everything that can be seen. */
export async function play(scenario: Scenario, { recut = false } = {}): Promise<Observation> {
  const log = new Log();
  const bench = new ToolBench(log);
  const events: ObserverEvent[] = [];
  const lag = createLagMeter();
  const plays = scenario.lanes.map((lane, number): LanePlay => {
    return { lane, number, trigger: createTrigger(lane.abort, number, log), calls: [], requests: [] };
  });
  const server = await createScriptedServer({
    otherwise: (request) => answer(request, plays[laneOfText(request.text)], log, recut),
  });
  const mcp = scenario.mcp?.kind === 'http' ? await startMcpServer(scenario.mcp, bench) : undefined;
  const stdio = scenario.mcp?.kind === 'stdio' ? createStdioServer() : undefined;
  bench.onStart = (run) => plays[laneOfMarker(run.marker)]?.trigger.happened('tool');
  const provider = createResponsesProvider({
    ...settingsOf(scenario),
    baseURL: server.baseURL,
    fetch: cuttingFetch,
    tools: bench.local(),
    mcpServers: {
      ...(mcp === undefined
        ? {}
        : {
            chaos: {
              url: mcp.url,
              type: 'http',
              headers: { authorization: `Bearer ${MCP_TOKEN}` },
              timeoutMs: scenario.mcp?.timeoutMs,
            },
          }),
      ...(stdio === undefined ? {} : { everything: stdio.config }),
    },
    onEvent: (event) => {
      events.push(event);
      observe(event, plays, log);
      if (event.type === 'tool-start' && event.tool === 'trigger-long-running-operation') stdio?.killSoon();
    },
  });
  const stubs = scenario.lanes.some(needsStubs) ? await provider.tools() : {};
  const outcomes = await Promise.all(
    plays.map((lanePlay) => {
      const { lane, number, trigger, calls, requests } = lanePlay;
      const model = recordModel(provider('chaos-model'), {
        calls,
        requestsSoFar: () => requests.length,
        onPart: () => trigger.happened('part'),
      });
      const run = { lane, number, model, signal: trigger.signal, stubs, log };
      return finish(
        lanePlay,
        laneContext.run(number, () => runLane(run)),
        log,
      );
    }),
  );
  await until(() => count(events, 'call-end') >= count(events, 'call-start') && bench.runs.every(isSettled));
  const untold = bench.runs.filter((run) => !isSettled(run)).map((run) => run.marker);
  const listeners = plays.map(({ trigger }) => trigger.listeners());
  const closedInTime = await closesInTime(provider);
  await Promise.all([server.close(), mcp?.close()]);
  const survivors = (await stdio?.survivors())?.length ?? 0;
  await stdio?.forget();
  return {
    lanes: outcomes.map((outcome, at) => ({ ...outcome, listenersLeft: listeners[at] ?? 0 })),
    runs: bench.runs,
    untold,
    events,
    log: log.entries,
    problems: server.problems,
    strangers: mcp?.strangers ?? 0,
    closedInTime,
    survivors,
    ...slowness(scenario, lag.stop()),
  };
}

function needsStubs(lane: Lane): boolean {
  return lane.declaresLoopTools && (lane.via === 'streamText' || lane.via === 'generateText');
}

function answer(request: ScriptedRequest, lanePlay: LanePlay | undefined, log: Log, recut: boolean): ScriptedAnswer {
  if (lanePlay === undefined) throw new Error('a request of no lane');
  const { lane, number, calls, requests, trigger } = lanePlay;
  const exchange = lane.exchanges[requests.length];
  log.note(number, 'received', String(requests.length));
  requests.push({ request, exchange, modelCall: calls.length - 1 });
  trigger.happened('request');
  if (exchange !== undefined) return answerOf(exchange, recut);
  const id = `resp_beyond_${number}_${requests.length}`;
  const description = { id, output: [{ type: 'text' as const, text: beyondText(requests.length - 1) }] };
  return request.body['stream'] === true ? responseEvents(description) : { json: responseBody(description) };
}

/** What the server says once its script is over. */
export function beyondText(request: number): string {
  return `Beyond ${request}: nothing is left.`;
}

function observe(event: ObserverEvent, plays: readonly LanePlay[], log: Log): void {
  const lane = laneContext.getStore() ?? -1;
  if (event.type === 'request') log.note(laneOfText(JSON.stringify(event.body)), 'asked');
  if (event.type === 'tool-start') log.note(lane, 'tool-start', event.callId);
  plays[lane]?.trigger.observe(event);
}

async function finish(
  lanePlay: LanePlay,
  running: Promise<SdkOutcome>,
  log: Log,
): Promise<Omit<LaneOutcome, 'listenersLeft'>> {
  const { calls, requests, trigger, number } = lanePlay;
  const startedAt = performance.now();
  let sdk: SdkOutcome = {};
  const settled = running.then(
    (outcome) => (sdk = outcome),
    (error: unknown) => (sdk = { rejected: error }),
  );
  const ended = await within(settled, BOUND_MS);
  log.note(number, 'ended');
  trigger.stop();
  return {
    calls,
    requests,
    ended,
    sdk,
    aborted: trigger.signal.aborted,
    cancelled: log.of(number, 'cancelled').length > 0,
    abortReason: trigger.reason,
    durationMs: performance.now() - startedAt,
  };
}

function isSettled({ isOver, signal }: { readonly isOver: boolean; readonly signal: AbortSignal }): boolean {
  return isOver || signal.aborted;
}

function count(events: readonly ObserverEvent[], type: ObserverEvent['type']): number {
  return events.filter((event) => event.type === type).length;
}

/** Waits for what comes a moment after the end; that it came is judged elsewhere. */
async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 1_500;
  while (!condition() && Date.now() < deadline) await sleep(2);
}
