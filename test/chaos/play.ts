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
import { beyondText, type LanePlay, laneOf, receive } from './lane-play.js';
import { createLagMeter } from './lag-meter.js';
import { laneOfMarker, laneOfText, Log } from './log.js';
import { startMcpServer } from './mcp-server.js';
import type { LaneOutcome, Observation } from './observation.js';
import { recordModel } from './record-model.js';
import { runLane, type SdkOutcome } from './run-lane.js';
import { settingsOf, slowness } from './play-settings.js';
import type { Lane, Scenario } from './scenario.js';
import { MCP_TOKEN } from './secrets.js';
import { answerOf } from './serve.js';
import { createStdioServer } from './stdio-server.js';
import { laneContext, ToolBench } from './tools.js';
import { startSockets } from './sockets/start.js';
import { createTrigger } from './trigger-abort.js';
import { closesInTime, within } from './within.js';

/** Longer than any scenario needs, retries and time limits included. */
const BOUND_MS = 30_000;

/** Plays a scenario against the real provider over real HTTP, and writes down everything that can be seen. */
export async function play(scenario: Scenario, { recut = false } = {}): Promise<Observation> {
  const log = new Log();
  const bench = new ToolBench(log);
  const events: ObserverEvent[] = [];
  const lag = createLagMeter();
  const plays = scenario.lanes.map((lane, number): LanePlay => {
    const trigger = createTrigger(lane.abort, number, log);
    return { lane, number, trigger, calls: [], requests: [], whole: {}, isRetrying: false };
  });
  const sockets = scenario.sockets && (await startSockets(scenario, { plays, log, recut }));
  const server = await createScriptedServer({
    otherwise: (request) => answer(request, laneOf(request.text, plays), log, recut),
  });
  const mcp = scenario.mcp?.kind === 'http' ? await startMcpServer(scenario.mcp, bench) : undefined;
  const stdio = scenario.mcp?.kind === 'stdio' ? createStdioServer() : undefined;
  bench.onStart = (run) => plays[laneOfMarker(run.marker)]?.trigger.happened('tool');
  const provider = createResponsesProvider({
    ...settingsOf(scenario),
    baseURL: server.baseURL,
    fetch: cuttingFetch,
    ...sockets?.settings,
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
  const socketsLeft = (await sockets?.server.close()) ?? 0;
  await Promise.all([server.close(), mcp?.close()]);
  const survivors = (await stdio?.survivors())?.length ?? 0;
  await stdio?.forget();
  return {
    lanes: outcomes.map((outcome, at) => ({ ...outcome, listenersLeft: listeners[at] ?? 0 })),
    runs: bench.runs,
    untold,
    events,
    log: log.entries,
    problems: [...server.problems, ...(sockets?.server.problems ?? [])],
    socketsLeft,
    strangers: mcp?.strangers ?? 0,
    closedInTime,
    survivors,
    ...slowness(scenario, lag.stop()),
  };
}

function needsStubs(lane: Lane): boolean {
  return lane.declaresLoopTools && (lane.via === 'streamText' || lane.via === 'generateText');
}

function answer(request: ScriptedRequest, lanePlay: LanePlay, log: Log, recut: boolean): ScriptedAnswer {
  const exchange = receive(lanePlay, log, { request });
  if (exchange !== undefined) return answerOf(exchange, recut);
  const { number, requests } = lanePlay;
  const id = `resp_beyond_${number}_${requests.length}`;
  const description = { id, output: [{ type: 'text' as const, text: beyondText(requests.length - 1) }] };
  return request.body['stream'] === true ? responseEvents(description) : { json: responseBody(description) };
}

function observe(event: ObserverEvent, plays: readonly LanePlay[], log: Log): void {
  const lane = laneContext.getStore() ?? -1;
  if (event.type === 'request') log.note(laneOfRequest(event.body, lane), 'asked');
  if (event.type === 'retry' && plays[lane] !== undefined) plays[lane].isRetrying = true;
  if (event.type === 'tool-start') log.note(lane, 'tool-start', event.callId);
  plays[lane]?.trigger.observe(event);
}

/** What goes on from a response does not repeat the prompt. */
function laneOfRequest(body: unknown, lane: number): number {
  const named = laneOfText(JSON.stringify(body));
  return named < 0 ? lane : named;
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
