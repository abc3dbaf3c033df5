import { inFlags, reasonThen } from 'responses-loop-example-shared/model-flags.js';
import { type OpenedModel, openModel, STAND_IN_MODEL } from 'responses-loop-example-shared/open-model.js';
import { demoBrain } from '../demo-brain.js';
import { ContextWindows } from '../driver/context-windows.js';
import { DEFAULT_MAX_STEPS } from '../driver/models.js';
import { type Agent, approvalPolicy, createAgent } from '../index.js';
import { readConfigFile } from './config-file.js';
import { databaseOf } from './database.js';
import type { GlobalOptions } from './options.js';
import { say } from './say.js';
import { workspaceOf } from './workspace.js';

/** How the warning about histories of clients begins: here the history is our own. */
const OWN_HISTORY = 'A tool runs because the prompt says';

export interface OpenedAgent {
  readonly agent: Agent;
  /** Names, for people. */
  readonly driver: string;
  /** `undefined`, if the driver asks none. */
  readonly model: string | undefined;
  /** Waits until everything is kept. */
  readonly close: () => Promise<void>;
}

/** An agent that can talk. Its first line says which model answers. */
export async function openAgent(options: GlobalOptions): Promise<OpenedAgent> {
  const workspace = workspaceOf(options);
  const driver = options.driver ?? (process.env['AGENTX_DRIVER'] || 'mono');
  const opened = driver !== 'mono' ? undefined : await openModelOf(options, workspace);
  if (opened !== undefined) say(`agent: ${opened.label}`);
  const { contextWindow, compactAt } = options;
  const windows = new ContextWindows({ set: contextWindow, compactAt, server: opened?.server });
  const agent = createAgent({
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
  });
  const close = async (): Promise<void> => {
    try {
      await agent.destroy();
    } finally {
      await opened?.close();
    }
  };
  try {
    await agent.initialize();
  } catch (error) {
    await close().catch(() => {}); // What it could not open is the error.
    throw error;
  }
  return { agent, driver, model: opened?.model, close };
}

function openModelOf(options: GlobalOptions, workspace: string): Promise<OpenedModel> {
  return openModel({
    flags: options,
    env: process.env,
    config: readConfigFile(process.env),
    standIn: demoBrain,
    mcpFolder: workspace,
    approve: () => approvalPolicy({ approve: options.approve, trustedServers: options.trust }),
    stock: async () => (await import('@ai-sdk/openai')).createOpenAI,
    settings: {
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
