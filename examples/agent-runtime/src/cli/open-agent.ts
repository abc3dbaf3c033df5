import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type OpenedModel, openModel } from 'responses-loop-example-shared/open-model.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { demoBrain } from '../demo-brain.js';
import { type Agent, createAgent } from '../index.js';
import { readConfigFile } from './config-file.js';
import type { GlobalOptions } from './options.js';
import { say } from './say.js';

export interface OpenedAgent {
  readonly agent: Agent;
  /** Names, for people. */
  readonly driver: string;
  readonly model: string;
  readonly label: string;
  /** Waits until everything is kept. */
  readonly close: () => Promise<void>;
}

/** An agent that can talk. Its first line says which model answers. */
export async function openAgent(options: GlobalOptions): Promise<OpenedAgent> {
  const workspace = workspaceOf(options);
  const driver = options.driver ?? process.env['AGENTX_DRIVER'] ?? 'mono';
  const opened = driver === 'echo' ? undefined : await openModelOf(options);
  if (opened !== undefined) say(`agent: ${opened.label}`);
  const { provider, model = 'echo', label = 'the echo driver', close: closeModel = async () => {} } = opened ?? {};
  const agent = createAgent({
    workspace,
    model,
    systemPrompt: options.system,
    driver: options.driver,
    provider,
    maxSteps: options.maxSteps,
    onWarning: say,
  });
  const close = async (): Promise<void> => {
    try {
      await agent.destroy();
    } finally {
      await closeModel();
    }
  };
  try {
    await agent.initialize();
  } catch (error) {
    await close().catch(() => {}); // What it could not open is the error.
    throw error;
  }
  return { agent, driver, model, label, close };
}

/** For commands that only look: no model, no MCP server. */
export async function withStoredSessions<T>(options: GlobalOptions, use: (agent: Agent) => Promise<T>): Promise<T> {
  const agent = createAgent({ workspace: workspaceOf(options), driver: 'echo', onWarning: say });
  await agent.initialize();
  try {
    return await use(agent);
  } finally {
    await agent.destroy();
  }
}

function openModelOf(options: GlobalOptions): Promise<OpenedModel> {
  return openModel({
    flags: options,
    env: process.env,
    config: readConfigFile(process.env),
    standIn: demoBrain,
    stock: async () => (await import('@ai-sdk/openai')).createOpenAI,
    settings: {
      maxRounds: options.maxSteps,
      onEvent: (event) => {
        if (event.type === 'retry') say(`agent: ${event.reason}; asking again in ${event.delayMs} ms`);
        else if (event.type === 'mcp-error') say(`agent: MCP server ${event.server}: ${event.message}`);
        else if (event.type === 'warning') say(`agent: ${event.message}`);
      },
    },
  });
}

function workspaceOf({ workspace }: GlobalOptions): string {
  const path = resolve(workspace);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new SettingsError(`--workspace: there is no folder ${path}.`);
}
