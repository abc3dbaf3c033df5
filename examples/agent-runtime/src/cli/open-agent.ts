import { inFlags, reasonThen } from 'responses-loop-example-shared/model-flags.js';
import { type OpenedModel, openModel, STAND_IN_MODEL } from 'responses-loop-example-shared/open-model.js';
import type { ResponsesProviderSettings } from 'responses-loop/v3';
import { demoBrain } from '../demo-brain.js';
import { ContextWindows } from '../driver/context-windows.js';
import { DEFAULT_MAX_STEPS } from '../driver/models.js';
import { type Agent, type AgentConfig, approvalPolicy, createAgent } from '../index.js';
import { readConfigFile } from './config-file.js';
import { databaseOf } from './database.js';
import { engineOf } from './engine-flags.js';
import type { EngineAgent } from './open-engine.js';
import type { GlobalOptions } from './options.js';
import { say } from './say.js';
import { workspaceOf } from './workspace.js';

/** How the warning about histories of clients begins: here the history is our own. */
const OWN_HISTORY = 'An approval was not verified';

export interface OpenedAgent {
  readonly agent: Agent;
  /** Names, for people. */
  readonly driver: string;
  /** `undefined`, if the driver asks none. */
  readonly model: string | undefined;
  /** Whether it takes turns now. */
  readonly isReady: () => boolean;
  /** Waits until everything is kept. */
  readonly close: () => Promise<void>;
}

export interface OpenOptions extends GlobalOptions {
  /** What keeps turns, so that they survive their process. */
  readonly engine?: 'dbos' | 'restate';
  /** The ingress of Restate. */
  readonly restate?: string;
  /** Where Restate calls this instance. */
  readonly restatePort?: number;
  readonly restateKey?: string;
  readonly host?: string;
}

/** An agent that can talk. Its first line says which model answers. */
export async function openAgent(options: OpenOptions): Promise<OpenedAgent> {
  const workspace = workspaceOf(options);
  const driver = options.driver ?? (process.env['AGENTX_DRIVER'] || 'mono');
  const opened = driver !== 'mono' ? undefined : await openModelOf(options, workspace);
  if (opened !== undefined) say(`agent: ${opened.label}`);
  const { contextWindow, compactAt } = options;
  const windows = new ContextWindows({ set: contextWindow, compactAt, server: opened?.server });
  const config: AgentConfig = {
    workspace,
    database: databaseOf(options),
    model: opened?.model,
    driver: options.driver,
    systemPrompt: options.system,
    maxSteps: options.maxSteps,
    // A session that was begun with the stand-in goes on with a model.
    provider:
      opened &&
      ((id: string) => {
        const name = id === STAND_IN_MODEL ? opened.model : id;
        return opened.provider(name, { maxLoopChars: windows.of(name).maxLoopChars });
      }),
    isLong: windows.isLong,
    onWarning: say,
  };
  try {
    const { agent, initialize, isReady, close } = await createAgentOf(config, driver, options);
    const closeAll = async (): Promise<void> => {
      try {
        await close();
      } finally {
        await opened?.close();
      }
    };
    try {
      await initialize();
    } catch (error) {
      await close().catch(() => {}); // What it could not open is the error.
      throw error;
    }
    return { agent, driver, model: opened?.model, isReady, close: closeAll };
  } catch (error) {
    await opened?.close();
    throw error;
  }
}

async function createAgentOf(config: AgentConfig, driver: string, options: OpenOptions): Promise<EngineAgent> {
  const engine = engineOf(options);
  if (engine !== undefined) {
    const { createEngineAgent } = await import('./open-engine.js');
    return createEngineAgent(config, driver, engine);
  }
  const agent = createAgent(config);
  return { agent, initialize: () => agent.initialize(), isReady: () => true, close: () => agent.destroy() };
}

async function openModelOf(options: OpenOptions, workspace: string): Promise<OpenedModel> {
  const journal = await journalOf(options);
  return openModel({
    flags: options,
    env: process.env,
    config: readConfigFile(process.env),
    standIn: demoBrain,
    mcpFolder: workspace,
    approve: () => approvalPolicy({ approve: options.approve, trustedServers: options.trust }),
    stock: async () => (await import('@ai-sdk/openai')).createOpenAI,
    settings: {
      ...journal,
      maxRounds: options.maxSteps ?? DEFAULT_MAX_STEPS,
      onEvent: (event) => {
        if (event.type === 'retry') say(`agent: ${reasonThen(event.reason, `asking again in ${event.delayMs} ms`)}`);
        else if (event.type === 'mcp-error') say(`agent: MCP server ${event.server}: ${event.message}`);
        else if (event.type === 'warning' && !event.message.startsWith(OWN_HISTORY))
          say(`agent: ${inFlags(event.message)}`);
      },
    },
  });
}

/** The provider records the rounds and the tools of the turn that asks. */
async function journalOf({ engine }: OpenOptions): Promise<Pick<ResponsesProviderSettings, 'journal'>> {
  if (engine === undefined) return {};
  const { journalOfTurn } = await import('responses-loop-example-shared/engine/journal-of-turn.js');
  return { journal: () => journalOfTurn.getStore() };
}
