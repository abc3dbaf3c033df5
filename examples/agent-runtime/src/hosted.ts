import { tokenProblem } from 'responses-loop-example-shared/loopback-guard.js';
import { checkMcpServers, type McpConfig } from 'responses-loop-example-shared/mcp-config.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { createAdapter } from './adapters/default-adapter.js';
import { responsesSessionFactory } from './adapters/responses.js';
import { AgentError } from './core/agent-error.js';
import { createAgent } from './core/create-agent.js';
import { errorAnswer, HttpError } from './http/errors.js';
import { createHandler, type Handler } from './http/handler.js';
import { loggable } from './persistence/loggable.js';
import type { AgentAdapter, AgentPersister } from './types/index.js';

/** What an instance in a cloud is set up with: its variables and secrets. */
export interface HostedEnvironment {
  readonly AGENT_TOKEN?: string | undefined;
  readonly OPENAI_BASE_URL?: string | undefined;
  readonly OPENAI_API_KEY?: string | undefined;
  readonly MODEL?: string | undefined;
  readonly SYSTEM_PROMPT?: string | undefined;
  /** `{"name": {"url": "https://…"}}`, as an object or as its JSON. */
  readonly MCP_SERVERS?: unknown;
  /** `ask` (the default), `all` or `none`: calls that are not known to be read-only. */
  readonly APPROVE?: string | undefined;
  /** Names of `MCP_SERVERS` whose read-only tools run unasked, with commas. */
  readonly TRUSTED_SERVERS?: string | undefined;
}

export interface Host {
  /** How errors call it. */
  readonly name: string;
  readonly agentId: string;
  readonly persister: AgentPersister;
}

const SHORTEST_TOKEN = 16;
const DEFAULT_MODEL = 'gpt-5.1';

/** Starts with the first request. While the settings are wrong, each request starts anew and is told what is wrong. */
export function startOnce<Environment>(
  start: (environment: Environment) => Promise<Handler>,
): (environment: Environment) => Promise<Handler> {
  let started: Promise<Handler> | undefined;
  return async (environment) => {
    started ??= start(environment);
    try {
      return await started;
    } catch (error) {
      started = undefined;
      return refusalOf(error);
    }
  };
}

function refusalOf(error: unknown): Handler {
  const isOfSettings = error instanceof SettingsError || (error instanceof AgentError && error.code === 'bad_settings');
  if (!isOfSettings) throw error;
  return async () => errorAnswer(new HttpError(500, 'bad_settings', error.message));
}

/** @throws SettingsError with a sentence for the person who deploys it. */
export async function startHosted(environment: HostedEnvironment, host: Host): Promise<Handler> {
  const { AGENT_TOKEN: token = '', OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey } = environment;
  const { MODEL: model = DEFAULT_MODEL, SYSTEM_PROMPT: systemPrompt } = environment;
  if (token.length < SHORTEST_TOKEN) {
    throw new SettingsError(
      `Anyone can reach a ${host.name}: set AGENT_TOKEN to ${SHORTEST_TOKEN} characters or more.`,
    );
  }
  const problem = tokenProblem(token);
  if (problem !== undefined) throw new SettingsError(`AGENT_TOKEN ${problem}.`);
  if ((baseUrl ?? apiKey) === undefined) {
    throw new SettingsError(`A ${host.name} has no demo model: set OPENAI_API_KEY, or OPENAI_BASE_URL.`);
  }
  const mcpServers = readMcpServers(environment.MCP_SERVERS);
  const options = { approve: readApprove(environment.APPROVE), trustedServers: listOf(environment.TRUSTED_SERVERS) };
  const config = { agentId: host.agentId, model, systemPrompt, baseUrl, apiKey, mcpServers, options };
  // Not the one of `index.ts`, which would bring the database along.
  const agent = createAgent(
    { workspace: '/', model },
    {
      adapter: newForEachTurn(() => createAdapter({ driver: 'mono', config })),
      persister: host.persister,
      sessionFactory: responsesSessionFactory,
    },
  );
  await agent.initialize();
  const onError = (error: unknown): void => console.error(loggable(error));
  return createHandler({ agent, driver: 'mono', model, token, onError });
}

/** What a request has opened ends with it in a Worker, and freezes with it in a Lambda function. */
function newForEachTurn(create: () => AgentAdapter): AgentAdapter {
  return {
    getName: () => 'mono',
    async *stream(prompt, options) {
      const adapter = create();
      try {
        yield* adapter.stream(prompt, options);
      } finally {
        await adapter.close?.();
      }
    },
  };
}

function readApprove(written = 'ask'): 'ask' | 'all' | 'none' {
  if (written === 'ask' || written === 'all' || written === 'none') return written;
  throw new SettingsError(`APPROVE is "${written}"; it must be ask, all or none.`);
}

function listOf(written = ''): string[] {
  return written
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function readMcpServers(written: unknown): McpConfig {
  let servers = written ?? {};
  try {
    if (typeof servers === 'string') servers = JSON.parse(servers);
  } catch {
    throw new SettingsError('MCP_SERVERS is not JSON.');
  }
  if (typeof servers !== 'object' || servers === null) throw new SettingsError('MCP_SERVERS is not an object.');
  return checkMcpServers({ ...servers }, { name: 'MCP_SERVERS', urlsOnly: true });
}
