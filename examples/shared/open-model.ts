import { existsSync, readFileSync } from 'node:fs';
import {
  type Approve,
  createResponsesProvider,
  type McpServers,
  type ResponsesProviderSettings,
  type ResponsesProviderV3,
  type StockFallbackSettings,
  withStockFallback,
} from 'responses-loop/v3';
import { readFixture, recordFetch, replayFetch } from 'responses-loop/testing';
import { firstListedModel, listModels } from './listed-models.js';
import { type McpConfig, parseMcpConfig, startedIn } from './mcp-config.js';
import { DEMO_LABEL, type KeyFlags, keyOfFlags } from './model-flags.js';
import { SettingsError } from './settings-error.js';
import { type StandInAnswer, startStandIn } from './stand-in.js';

/** As given on the command line. */
export interface ModelFlags extends ModelFile, KeyFlags {
  readonly offline?: boolean | undefined;
  readonly stock?: boolean | undefined;
  readonly record?: string | undefined;
  readonly replay?: string | undefined;
  readonly mcpConfig?: string | undefined;
}

/** What an application's config file may say of the model. */
export interface ModelFile {
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
}

/** The stock provider, made by the application: from here its package would be of another version. */
export type MakeStock = (settings: StockSettings) => StockFallbackSettings['stock'];

export interface StockSettings {
  readonly baseURL: string;
  readonly apiKey: string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface OpenModelOptions {
  readonly flags: ModelFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config?: ModelFile | undefined;
  readonly standIn: StandInAnswer;
  /** Loaded only where the stock provider may have to answer. */
  readonly stock: () => Promise<MakeStock>;
  /** The folder that MCP servers start in, unless their entry has its own `cwd`. */
  readonly mcpFolder?: string | undefined;
  /** Further settings of the provider. */
  readonly settings?: Omit<ResponsesProviderSettings, 'baseURL' | 'apiKey' | 'fetch' | 'mcpServers'> | undefined;
  /** Adds what the file of MCP servers does not hold, such as sign-ins. */
  readonly completeMcp?: ((mcpServers: McpConfig) => McpConfig) | undefined;
  /** Decides about calls of MCP tools; made once it is known which servers there are. */
  readonly approve?: ((mcpServers: McpConfig) => Approve) | undefined;
  /** Adds to the entries of MCP servers what no file has, such as a way to sign in. */
  readonly extendMcpServers?: ((mcpServers: McpConfig) => McpConfig) | undefined;
  /** Also opens the stock provider, for calls that ask for it. */
  readonly isStockWanted?: boolean | undefined;
}

export interface OpenedModel {
  readonly provider: ResponsesProviderV3;
  /** Answers through the stock provider, with the same tools; only with `isStockWanted`. */
  readonly stockProvider: ResponsesProviderV3 | undefined;
  readonly model: string;
  /** Where other models may be; absent for the stand-in and a recording. */
  readonly server: { readonly baseURL: string; readonly apiKey: string | undefined } | undefined;
  /** Models to choose from: those that the server lists. */
  readonly models: () => Promise<readonly string[]>;
  /** Who answers, in words and without secrets. */
  readonly label: string;
  /** The offline stand-in answers, no model. */
  readonly isStandIn: boolean;
  /** Ends MCP servers and the stand-in, and waits for a recording to be on disk. */
  readonly close: () => Promise<void>;
}

/** Where answers come from. */
interface Source {
  readonly baseURL: string | undefined;
  readonly apiKey: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Absent if the server is asked for its first one. */
  readonly model: string | undefined;
  readonly label?: string;
  readonly isStandIn?: boolean;
  close?(): Promise<void>;
}

const DEFAULT_MODEL = 'gpt-5.1';

/** A key that no text holds: keys are taken out of errors, and `replay` would be missed there. */
const NO_KEY = 'sk-none-0000000000';

/** What the stand-in goes by. */
export const STAND_IN_MODEL = 'stand-in';

/**
 * The model that flags, environment and config file ask for, in this order for each of them; the offline stand-in, if they
 * name neither server nor key.
 *
 * @throws SettingsError with a sentence for the person who set it.
 */
export async function openModel(options: OpenModelOptions): Promise<OpenedModel> {
  checkFlags(options.flags);
  const source = await openSource(options);
  try {
    return await openProvider(source, options);
  } catch (error) {
    await source.close?.();
    throw error;
  }
}

async function openProvider(source: Source, options: OpenModelOptions): Promise<OpenedModel> {
  const { flags, env, settings } = options;
  const { baseURL, apiKey } = source;
  const written = flags.mcpConfig === undefined ? {} : startedIn(options.mcpFolder, readMcpConfig(flags.mcpConfig));
  const mcpConfig = options.completeMcp?.(written) ?? written;
  // The provider checks the rest of each entry.
  const mcpServers = (options.extendMcpServers?.(mcpConfig) ?? mcpConfig) as unknown as McpServers;
  const approve = options.approve?.(mcpConfig);
  const recording = flags.record === undefined ? undefined : startRecording(flags.record, source.fetch);
  const fetch = recording ?? source.fetch;
  const approval = approve === undefined ? {} : { approve };
  const primary = createResponsesProvider({ ...settings, ...approval, baseURL, apiKey, fetch, mcpServers });
  const { url: responsesUrl } = primary.endpoint('');
  const model = source.model ?? (await firstListedModel({ responsesUrl, apiKey })) ?? DEFAULT_MODEL;
  const isStockPossible = flags.stock === true || present(env['RESPONSES_LOOP']) !== undefined;
  const withStock = (useStock: true | undefined): Promise<ResponsesProviderV3> =>
    addStock(primary, { ...source, model, fetch }, { makeStock: options.stock, useStock });
  const provider = isStockPossible ? await withStock(flags.stock === true ? true : undefined) : primary;
  const stockProvider = options.isStockWanted === true ? await withStock(true) : undefined;
  const label = source.label ?? `${model} at ${baseOf(primary, model)}`;
  const close = async (): Promise<void> => {
    await provider.close();
    await recording?.save();
    await source.close?.();
  };
  const server = source.label === undefined ? { baseURL: baseOf(primary, model), apiKey } : undefined;
  const models = async (): Promise<readonly string[]> =>
    source.label === undefined ? listModels({ responsesUrl, apiKey }) : [model];
  const names = { provider, stockProvider, model, server, models, isStandIn: source.isStandIn === true };
  return { ...names, label: flags.stock === true ? `${label}, through @ai-sdk/openai` : label, close };
}

function checkFlags({ offline, replay, record }: ModelFlags): void {
  if (replay !== undefined && offline === true) throw new SettingsError('--offline and --replay exclude each other.');
  if (replay !== undefined && record !== undefined)
    throw new SettingsError('--record and --replay exclude each other.');
}

async function openSource({ flags, env, config, standIn }: OpenModelOptions): Promise<Source> {
  const baseURL = present(flags.baseUrl) ?? present(env['OPENAI_BASE_URL']) ?? present(config?.baseUrl);
  const apiKey = present(keyOfFlags(flags, env)) ?? present(env['OPENAI_API_KEY']) ?? present(config?.apiKey);
  const model = present(flags.model) ?? present(env['MODEL']) ?? present(config?.model);
  if (flags.replay !== undefined) return openReplay(flags.replay, model);
  const isNothingSaid = [baseURL, apiKey, model].every((value) => value === undefined);
  if (flags.offline === true || isNothingSaid) {
    const server = await startStandIn(standIn);
    return {
      baseURL: server.baseURL,
      apiKey: NO_KEY,
      model: model ?? STAND_IN_MODEL,
      label: DEMO_LABEL,
      isStandIn: true,
      close: () => server.close(),
    };
  }
  if (baseURL === undefined && apiKey === undefined) {
    throw new SettingsError(
      `The model ${model} needs a server: set --base-url (OPENAI_BASE_URL), or for OpenAI the key (OPENAI_API_KEY, --api-key-env).`,
    );
  }
  return { baseURL, apiKey, model: model ?? (isOpenAI(baseURL) ? DEFAULT_MODEL : undefined) };
}

/** Without a base URL the provider asks OpenAI. */
function isOpenAI(baseURL: string | undefined): boolean {
  return baseURL === undefined || (URL.canParse(baseURL) && new URL(baseURL).hostname === 'api.openai.com');
}

async function openReplay(directory: string, model: string | undefined): Promise<Source> {
  if (!existsSync(directory)) throw new SettingsError(`--replay: there is no folder ${directory}.`);
  const fixture = await readFixture(directory).catch((error: unknown) => {
    throw new SettingsError(`--replay: ${textOf(error)}`);
  });
  const recorded = fixture.rounds[0]?.request['model'];
  return {
    baseURL: 'http://127.0.0.1:1/v1', // Nothing is ever sent there.
    apiKey: NO_KEY,
    model: model ?? (typeof recorded === 'string' ? recorded : DEFAULT_MODEL),
    label: `the recording in ${directory}`,
    // MCP servers are real, also where the model is not.
    fetch: replayFetch(fixture, { fetch: globalThis.fetch }),
  };
}

function startRecording(directory: string, fetch: typeof globalThis.fetch | undefined): ReturnType<typeof recordFetch> {
  try {
    return recordFetch(directory, { fetch });
  } catch (error) {
    throw new SettingsError(`--record: ${textOf(error)}`);
  }
}

async function addStock(
  primary: ResponsesProviderV3,
  { apiKey, model, fetch }: Source & { readonly model: string },
  { makeStock, useStock }: { readonly makeStock: OpenModelOptions['stock']; readonly useStock: true | undefined },
): Promise<ResponsesProviderV3> {
  const make = await makeStock();
  const stock = make({ baseURL: baseOf(primary, model), apiKey: apiKey ?? 'none', ...(fetch && { fetch }) });
  return withStockFallback({ primary, stock, useStock });
}

/** The stock provider takes a base URL only as it is used, not as a person pastes it. */
function baseOf(provider: ResponsesProviderV3, model: string): string {
  return provider.endpoint(model).url.replace(/\/responses(\?.*)?$/, '');
}

function readMcpConfig(path: string): McpConfig {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`--mcp-config: ${path} cannot be read: ${textOf(error)}`);
  }
  return parseMcpConfig(text, { name: path });
}

/** A variable that is set to nothing is not set. */
function present(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
