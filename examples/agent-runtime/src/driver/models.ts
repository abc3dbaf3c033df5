import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModel, TelemetrySettings, ToolSet } from 'ai';
import { startedIn } from 'responses-loop-example-shared/mcp-config.js';
import {
  createResponsesProvider,
  type McpServers,
  type ResponsesProviderSettings,
  withStockFallback,
} from 'responses-loop/v3';

import { type ApprovalSettings, approvalPolicy } from './approval-policy.js';
import { ContextWindows } from './context-windows.js';
import { AgentError } from '../core/agent-error.js';
import type { DriverConfig } from '../types/driver.js';

/** Gives models by their id, such as a provider. */
export type ModelsById = (modelId: string) => LanguageModel;

export interface MonoDriverOptions extends ApprovalSettings {
  /** Default: `responses`. `openai` answers through the stock provider, with the same tools. */
  readonly provider?: 'responses' | 'openai' | LanguageModel | ModelsById | Models | undefined;
  readonly model?: string | undefined;
  /** Rounds in which tools may be called. Default: 10. */
  readonly maxSteps?: number | undefined;
  /** Who runs the tools of `mcpServers`: the provider inside its model, or the AI SDK in steps of its own. Default: `model`. */
  readonly runTools?: 'model' | 'sdk' | undefined;
  /** Tokens that the model takes, if neither its name nor its server tells. */
  readonly contextWindow?: number | undefined;
  /** Percent of the window at which a session is made shorter; 0: never. Default: 80. */
  readonly compactAt?: number | undefined;
  /** Characters of a request, above which old outputs of tools are left out of it. Default: by the window. */
  readonly maxLoopChars?: number | undefined;
  /** Functions of this program that the model may call. One that only reads has `readOnly: true`; all others are asked about. */
  readonly tools?: ResponsesProviderSettings['tools'];
  /** Takes every event of the provider, such as `openTelemetry(tracer)`. */
  readonly onEvent?: ResponsesProviderSettings['onEvent'];
  /** The AI SDK's own telemetry of each turn. */
  readonly telemetry?: TelemetrySettings | undefined;
}

/** Settings of the provider that the driver makes; one that is handed in has its own. */
const OF_OWN_PROVIDER = ['approve', 'trustedServers', 'tools', 'onEvent', 'maxLoopChars'] as const;

/** What several drivers may share, and who made it closes. */
export interface Models {
  model(id: string | undefined): LanguageModel;
  /** Tools for the AI SDK to run. Absent: the model brings its own. */
  tools?(): Promise<ToolSet>;
  close(): Promise<void>;
}

export const DEFAULT_MAX_STEPS = 10;

type Config = Partial<DriverConfig<MonoDriverOptions>>;

/** What answers: a provider of the settings, or what was handed in. Nothing is connected yet. */
export function openModels(config: Config): Models {
  const { provider = 'responses' } = config.options ?? {};
  if (provider === 'responses') return openProvider('responses', config);
  if (provider === 'openai') return openProvider('openai', config);
  const unused = [
    ...(Object.keys(config.mcpServers ?? {}).length > 0 ? ['mcpServers'] : []),
    ...OF_OWN_PROVIDER.filter((name) => config.options?.[name] !== undefined),
  ];
  if (unused.length > 0) {
    // Left out without a word, the model would lack tools, or run them unasked, and no one would know why.
    const names = unused.map((name) => `\`${name}\``).join(', ');
    throw new AgentError('bad_settings', `${names} go to a provider that the driver makes, not to one handed in.`);
  }
  const close = async (): Promise<void> => {};
  if (typeof provider === 'function') return { model: (id) => provider(named(id, config)), close };
  if (isModels(provider)) return { model: (id) => provider.model(id ?? nameOf(config)), close };
  return { model: () => provider, close };
}

function isModels(provider: LanguageModel | Models): provider is Models {
  return typeof provider === 'object' && 'model' in provider && typeof provider.model === 'function';
}

function openProvider(kind: 'responses' | 'openai', config: Config): Models {
  const { apiKey, baseUrl, mcpServers, options } = config;
  const primary = createResponsesProvider({
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    ...(mcpServers === undefined ? {} : { mcpServers: startedIn(config.cwd, mcpServers) as unknown as McpServers }),
    ...(options?.tools === undefined ? {} : { tools: options.tools }),
    ...(options?.onEvent === undefined ? {} : { onEvent: options.onEvent }),
    approve: approvalPolicy(options ?? {}),
    maxRounds: options?.maxSteps ?? DEFAULT_MAX_STEPS,
  });
  const windows = windowsOf(config);
  const provider = kind === 'responses' ? primary : withStockFallback(stockSettings(primary, config));
  return {
    model: (id) => {
      const name = named(id, config);
      return provider(name, { maxLoopChars: options?.maxLoopChars ?? windows.of(name).maxLoopChars });
    },
    ...(options?.runTools === 'sdk' && { tools: () => provider.tools({ runBy: 'sdk' }) }),
    close: () => provider.close(),
  };
}

/** How much models take, as far as the settings, their names or the server tell. */
export function windowsOf({ apiKey, baseUrl, options }: Config): ContextWindows {
  const server = baseUrl === undefined ? undefined : { baseURL: baseUrl, apiKey };
  return new ContextWindows({ set: options?.contextWindow, compactAt: options?.compactAt, server });
}

function stockSettings(
  primary: ReturnType<typeof createResponsesProvider>,
  { apiKey, baseUrl }: Config,
): Parameters<typeof withStockFallback>[0] {
  const stock = createOpenAI({
    ...(apiKey === undefined ? {} : { apiKey }),
    // The stock provider takes no other form of it than this one.
    ...(baseUrl === undefined ? {} : { baseURL: primary.endpoint('any').url.replace(/\/responses$/, '') }),
  });
  return { primary, stock, useStock: () => true };
}

function named(id: string | undefined, config: Config): string {
  const found = id ?? nameOf(config);
  if (found !== undefined) return found;
  throw new AgentError('bad_settings', 'No model is named: set `model`, or MODEL in the environment.');
}

function nameOf({ model, options }: Config): string | undefined {
  return options?.model ?? model ?? modelOfEnvironment();
}

/** A Worker has no `process`. */
function modelOfEnvironment(): string | undefined {
  const name = globalThis.process?.env?.['MODEL'];
  return name === '' ? undefined : name;
}
