import { fileURLToPath } from 'node:url';

import {
  createResponsesProvider as createV2,
  logEvents,
  observers,
  type ResponsesProviderSettings,
} from 'responses-loop';
import { createResponsesProvider as createV3 } from 'responses-loop/v3';
import { createResponsesProvider as createV4 } from 'responses-loop/v4';
import type { JsonObject } from '../../../src/core/json.js';
import { closesInTime } from '../within.js';
import { crowdOf } from './crowds.js';
import { type AnyModel, makeCall } from './make-call.js';
import { user } from './histories.js';
import type { HostileObservation, HostileRun } from './observation.js';
import { replayedPrompt, FIRST_ANSWERS } from './replay.js';
import type { HostileScenario, McpAttack, Version } from './scenario.js';
import { HISTORY_SECRET, keysOf, MCP_SECRET } from './secrets.js';
import { HostileServer } from './serve.js';
import { HostileMcpServer, MCP_URL } from './serve-mcp.js';
import { clientTools, localTools } from './tools.js';

const CREATE = { v2: createV2, v3: createV3, v4: createV4 } as const satisfies Record<Version, unknown>;
const MCP_PROGRAM = fileURLToPath(new URL('../../support/hostile-mcp-server.mjs', import.meta.url));
/** A text that stands in no other prompt. */
const HARMLESS = 'A harmless question.';
const OWN_SYSTEM: JsonObject = { role: 'system', content: 'The app says this.' };

/** Plays a scenario against the real provider, with servers in the place of `fetch`. */
export async function playHostile(scenario: HostileScenario): Promise<HostileObservation> {
  const server = new HostileServer(scenario);
  const mcp = new HostileMcpServer(scenario.mcp ?? { list: 'plain', call: 'plain' });
  const watched = createWatched();
  const provider = createProvider(scenario, { server, mcp, watched });
  const model = (): AnyModel => provider(scenario.modelId);
  const call = (prompt: readonly JsonObject[]) => makeCall(model, scenario.method, optionsOf(scenario, prompt));
  const prompt = await promptOf();
  // What came before is no part of what is judged.
  server.posts.length = 0;
  watched.runs.length = 0;
  server.change(scenario);
  const before = process.cpuUsage();
  const outcomes = await Promise.all(Array.from({ length: scenario.calls }, () => call(prompt)));
  const { user: inUser, system } = process.cpuUsage(before);
  const posts = server.posts.slice();
  const probe = scenario.attack === 'echo' ? await probeBoth() : undefined;
  const closedInTime = await closesInTime(provider);
  return {
    posts,
    outcomes,
    events: watched.events,
    logged: watched.logged,
    runs: watched.runs,
    prompt,
    probe,
    mcp: mcp.requests,
    units: server.units,
    cpuMs: (inUser + system) / 1_000,
    closedInTime,
    isPolluted: 'polluted' in {},
  };

  async function promptOf(): Promise<readonly JsonObject[]> {
    const { replay, crowd, posted } = scenario;
    if (replay === undefined) return [OWN_SYSTEM, ...posted, ...(crowd === undefined ? [] : crowdOf(crowd))];
    server.change({ answers: FIRST_ANSWERS, repeatsLast: false });
    const first = await makeCall(model, 'doGenerate', optionsOf(scenario, [OWN_SYSTEM, user('Hello.')]));
    return replayedPrompt([OWN_SYSTEM, user('Hello.')], first, replay);
  }

  /** What an error has said may not change what is asked later. */
  async function probeBoth(): Promise<HostileObservation['probe']> {
    const harmless = [OWN_SYSTEM, user(HARMLESS)];
    server.change({ answers: [], repeatsLast: false });
    await call(harmless);
    const after = server.posts.at(-1)?.body;
    const other = new HostileServer({ answers: [], repeatsLast: false });
    const fresh = createProvider(scenario, { server: other, mcp, watched: createWatched() });
    await makeCall(() => fresh(scenario.modelId), scenario.method, optionsOf(scenario, harmless));
    await fresh.close();
    return { after, fresh: other.posts.at(-1)?.body };
  }
}

interface Watched {
  readonly events: HostileObservation['events'][number][];
  readonly logged: string[];
  readonly runs: HostileRun[];
}

function createWatched(): Watched {
  return { events: [], logged: [], runs: [] };
}

interface World {
  readonly server: HostileServer;
  readonly mcp: HostileMcpServer;
  readonly watched: Watched;
}

interface AnyProvider {
  (modelId: string): AnyModel;
  close(): Promise<void>;
}

function createProvider(scenario: HostileScenario, world: World): AnyProvider {
  // The three differ in the types of their parts only, which are looked at as plain objects here.
  return CREATE[scenario.version](settingsOf(scenario, world)) as unknown as AnyProvider;
}

function settingsOf({ settings, mcp }: HostileScenario, world: World): ResponsesProviderSettings {
  const { keys, secret, commentsMs, json: _json, maxRetries, ...rest } = settings;
  const all = keysOf(keys);
  let asked = 0;
  return {
    ...rest,
    baseURL: 'http://model.test/v1',
    apiKey: keys.given === 'list' ? all : () => all[(asked += 1) % all.length] ?? '',
    ...(secret === undefined ? {} : { [secret]: HISTORY_SECRET }),
    retry: { maxRetries, initialDelayMs: 2, maxDelayMs: 10 },
    timeouts: { commentsMs, idleMs: 5_000, headersMs: 5_000, connectMs: 3_000 },
    toolTimeoutMs: 3_000,
    models: { '*/*/*-chat': { body: { user: 'a' } }, ['a*'.repeat(12) + 'b']: { body: { user: 'b' } } },
    tools: localTools(world.watched.runs),
    ...(mcp === undefined ? {} : { mcpServers: { hostile: serverEntry(mcp) } }),
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      return url.hostname === 'model.test' ? world.server.answer(init) : world.mcp.answer(url, init);
    },
    onEvent: observers((event) => void world.watched.events.push(event), logEvents(loggerTo(world.watched.logged))),
  };
}

function serverEntry({ stdio }: McpAttack): NonNullable<ResponsesProviderSettings['mcpServers']>[string] {
  if (stdio === undefined) return { url: MCP_URL, type: 'http', headers: { 'x-api-key': MCP_SECRET } };
  return { command: process.execPath, args: [MCP_PROGRAM, stdio] };
}

function loggerTo(lines: string[]) {
  const write = (message: string, data: object): void => void lines.push(`${message} ${JSON.stringify(data)}`);
  return { debug: write, info: write, warn: write, error: write };
}

function optionsOf({ settings, tools }: HostileScenario, prompt: readonly JsonObject[]): JsonObject {
  return {
    prompt: [...prompt],
    tools: clientTools(tools),
    temperature: 0.5,
    ...(settings.json ? { responseFormat: { type: 'json' } } : {}),
    providerOptions: { 'responses-loop': { safetyIdentifier: 'user-1' } },
  };
}
